import { eventType } from 'inngest'
import { z } from 'zod'

/**
 * Every event of the product. Events carry ids, never rows: the database is the truth, an event is a hint. Events for
 * long-running work name their owner, and the runs of one owner are limited, so that one owner's load does not delay another's
 * work.
 */
export const CampaignLaunchRequested = eventType('campaign/launch.requested', {
  schema: z.object({ campaign_id: z.uuid(), launch_job_id: z.uuid() }),
})

/** Ends a launch in progress. */
export const CampaignStopped = eventType('campaign/stopped', { schema: z.object({ campaign_id: z.uuid() }) })

export const DatasetProcessRequested = eventType('dataset/process.requested', {
  schema: z.object({ workspace_id: z.uuid(), dataset_id: z.uuid(), session_id: z.uuid() }),
})

/** The archive of a workspace is ready to be imported. `workspace_id` is the workspace in which the import was requested. */
export const WorkspaceImportRequested = eventType('workspace/import.requested', {
  schema: z.object({ workspace_id: z.uuid(), import_id: z.uuid() }),
})

/** Rows were added or people became known: the search index is updated in the background. */
export const SearchFillRequested = eventType('search/fill.requested', { schema: z.object({}) })

/** A session over the rows of a dataset is waiting: enrichment, extraction or the email finder. */
export const DatasetSessionRequested = eventType('dataset/session.requested', {
  schema: z.object({ workspace_id: z.uuid(), dataset_id: z.uuid(), session_id: z.uuid() }),
})

/** A personalization run has leads to write for. */
export const PersonalizeRequested = eventType('personalize/requested', {
  schema: z.object({ workspace_id: z.uuid(), run_id: z.uuid() }),
})

/** New mail arrived in a mailbox: it is read at once instead of at its next scheduled time. */
export const InboundArrived = eventType('inbound/arrived', { schema: z.object({ mailbox_id: z.uuid() }) })
