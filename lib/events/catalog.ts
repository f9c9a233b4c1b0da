import { eventType } from 'inngest'
import { z } from 'zod'

/**
 * Every event of the product. They carry ids, never rows: the database is the truth, an event is a hint. Work that takes
 * long names its owner, whose runs are held to a few at a time: nobody's flood keeps another's work waiting.
 */
export const CampaignLaunchRequested = eventType('campaign/launch.requested', {
  schema: z.object({ campaign_id: z.uuid(), launch_job_id: z.uuid() }),
})

/** A campaign may have something to send: dispatch looks at once instead of at the next sweep. */
export const CampaignWoken = eventType('campaign/woken', { schema: z.object({ campaign_id: z.uuid() }) })

/** Ends a launch under way. */
export const CampaignStopped = eventType('campaign/stopped', { schema: z.object({ campaign_id: z.uuid() }) })

export const DatasetProcessRequested = eventType('dataset/process.requested', {
  schema: z.object({ user_id: z.uuid(), dataset_id: z.uuid(), session_id: z.uuid() }),
})

/** A session over the rows of a dataset waits: enrichment, extraction or the email finder. */
export const DatasetSessionRequested = eventType('dataset/session.requested', {
  schema: z.object({ user_id: z.uuid(), dataset_id: z.uuid(), session_id: z.uuid() }),
})

/** A personalization run has leads to write for. */
export const PersonalizeRequested = eventType('personalize/requested', {
  schema: z.object({ user_id: z.uuid(), run_id: z.uuid() }),
})

/** Something came into a mailbox: it is read at once instead of at the next minute. */
export const InboundArrived = eventType('inbound/arrived', { schema: z.object({ mailbox_id: z.uuid() }) })

/** Somebody waits for a delivery: it is attempted at once instead of at the next minute. */
export const WebhookDue = eventType('webhook/due', { schema: z.object({ webhook_id: z.uuid() }) })

/** A post is to go out now: it is offered at once instead of at the next minute. */
export const SocialPostDue = eventType('social-post/due', { schema: z.object({ post_id: z.uuid() }) })

/** Somebody waits for a message to themselves: it is sent at once instead of at the next minute. */
export const NotificationQueued = eventType('notification/queued', {
  schema: z.object({ user_id: z.uuid() }),
})
