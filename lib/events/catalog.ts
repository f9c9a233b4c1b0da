import { eventType } from 'inngest'
import { z } from 'zod'

/**
 * Every event of the product. They carry ids, never rows: the database is the truth, an event is a hint. Work that takes
 * long names its owner, whose runs are held to a few at a time: nobody's flood keeps another's work waiting.
 */
export const CampaignLaunchRequested = eventType('campaign/launch.requested', {
  schema: z.object({ campaign_id: z.uuid(), launch_job_id: z.uuid() }),
})

/** Ends a launch under way. */
export const CampaignStopped = eventType('campaign/stopped', { schema: z.object({ campaign_id: z.uuid() }) })

export const DatasetProcessRequested = eventType('dataset/process.requested', {
  schema: z.object({ workspace_id: z.uuid(), dataset_id: z.uuid(), session_id: z.uuid() }),
})

/** The archive of a workspace is to be imported; the workspace is the one in which it was asked for. */
export const WorkspaceImportRequested = eventType('workspace/import.requested', {
  schema: z.object({ workspace_id: z.uuid(), import_id: z.uuid() }),
})

/** Rows came in or people became known: what searches look into is filled up, in the background. */
export const SearchFillRequested = eventType('search/fill.requested', { schema: z.object({}) })

/** A session over the rows of a dataset waits: enrichment, extraction or the email finder. */
export const DatasetSessionRequested = eventType('dataset/session.requested', {
  schema: z.object({ workspace_id: z.uuid(), dataset_id: z.uuid(), session_id: z.uuid() }),
})

/** A personalization run has leads to write for. */
export const PersonalizeRequested = eventType('personalize/requested', {
  schema: z.object({ workspace_id: z.uuid(), run_id: z.uuid() }),
})

/** Something came into a mailbox: it is read at once instead of when its turn comes. */
export const InboundArrived = eventType('inbound/arrived', { schema: z.object({ mailbox_id: z.uuid() }) })
