import { z } from 'zod'
import { dateTime, id } from '#lib/contracts/fields'
import { INTENT_SOURCES, INTENTS } from '#lib/domain/inbox/intent/intents'
import { SENDER_CAUSES } from '#lib/domain/sending/sender-failures'
import { typedKeys } from '#lib/domain/text/record'

const campaign = z.object({
  campaign_id: id(),
  name: z.string(),
  status: z.string(),
  reason: z.string().nullable().describe('Why it paused or failed.'),
  total_leads: z.int().nullable(),
  processed_leads: z.int(),
  sent_count: z.int(),
  replied_count: z.int(),
  bounced_count: z.int(),
})
const lead = {
  campaign_id: id(),
  campaign_lead_id: id(),
  email: z.string().nullable(),
  lead_index: z.int().describe('The dataset row.'),
  step: z.int().nullable(),
}
const said = z.object({ ...lead, reason: z.string().nullable(), channel: z.string().nullable() })
const ended = z.object({ ...lead, reason: z.string().nullable() })
const answered = said.extend({
  from: z.string().optional(),
  subject: z.string().optional(),
  inbound_message_id: id().optional(),
  intent: z.enum(INTENTS).optional().describe('For `lead.replied`: what the person wants, if known.'),
})
const visited = z.object({ ...lead, action_id: id(), url: z.string().nullable() })
const dataset = z.object({
  dataset_id: id(),
  dataset_name: z.string(),
  session_id: id(),
  row_count: z.int(),
  reject_count: z.int(),
  error: z.string().nullable(),
})

/** The events of a webhook: when each is sent, and its `data`. */
export const EVENTS = {
  'campaign.launched': { when: 'Its leads are enrolled and sending starts.', data: campaign },
  'campaign.paused': { when: 'By its owner or automatically. The reason says why.', data: campaign },
  'campaign.resumed': { when: 'It continues after a pause.', data: campaign },
  'campaign.completed': { when: 'No leads are waiting for anything more.', data: campaign },
  'campaign.failed': { when: 'Its launch failed.', data: campaign },
  'lead.sent': {
    when: 'A step was sent to a lead and accepted by the provider.',
    data: z.object({
      ...lead,
      action_id: id(),
      channel: z.string(),
      variant_label: z.string().nullable(),
      message_id: z.string().nullable(),
      subject: z.string().nullable(),
    }),
  },
  'lead.opened': {
    when: 'A person opened an email from a step that tracks opens, the first time per email. Opens by machines are not reported.',
    data: visited,
  },
  'lead.clicked': {
    when: 'A person clicked a link in a step that tracks clicks, the first time per email. Clicks by programs are not reported, so this arrives a few seconds later.',
    data: visited,
  },
  'lead.held': {
    when: 'A step is due but its text is not approved, so the lead waits.',
    data: said,
  },
  'lead.replied': {
    when: 'A person replied. The lead gets nothing more, or nothing before the date they asked for.',
    data: answered,
  },
  'reply.intent': {
    when: 'A reply’s intent was detected, or somebody corrected it.',
    data: z.object({
      campaign_id: id().nullable(),
      campaign_lead_id: id().nullable(),
      email: z.string().nullable(),
      lead_index: z.int().nullable(),
      thread_id: id(),
      inbox_message_id: id(),
      intent: z.enum(INTENTS),
      intent_by: z.enum(INTENT_SOURCES).nullable(),
      intent_evidence: z.string().nullable().describe('The words that show it.'),
      intent_until: z.iso.date().nullable().describe('Of `later`.'),
    }),
  },
  'lead.bounced': { when: 'The address does not exist or refuses email. It is suppressed.', data: ended },
  'lead.unsubscribed': { when: 'The person unsubscribed, by link or email.', data: answered },
  'lead.complained': { when: 'The person’s provider reported it as spam.', data: answered },
  'lead.completed': { when: 'The lead finished every step.', data: ended },
  'invitation.accepted': {
    when: 'The person accepted a step’s invitation.',
    data: z.object({
      ...lead,
      action_id: id(),
      account_id: id(),
      name: z.string().nullable(),
      handle: z.string().nullable(),
    }),
  },
  'limit.reached': {
    when: 'The daily limit of a campaign, mailbox or account is used up. Once per day.',
    data: z.object({
      of: z.enum(['campaign', 'mailbox', 'account']),
      campaign_id: id().nullable(),
      mailbox_id: id().nullable(),
      account_id: id().nullable(),
      name: z.string().nullable(),
      action_type: z
        .string()
        .nullable()
        .describe('For a cap on one kind of action. Null: the limit covers all.'),
      limit: z.int(),
      day: z.iso.date().describe('For a campaign, a window day; for a sender, a date in the owner’s zone.'),
      timezone: z.string(),
    }),
  },
  'run.finished': {
    when: 'A personalization run has ended: its texts are written, or it failed or was cancelled.',
    data: z.object({
      run_id: id(),
      dataset_id: id(),
      campaign_id: id().nullable(),
      step: z.int().nullable(),
      status: z.enum(['completed', 'failed', 'cancelled']),
      total: z.int(),
      generated_count: z.int(),
      failed_count: z.int(),
      flagged_count: z.int(),
      error: z.string().nullable(),
    }),
  },
  'mailbox.failing': {
    when: 'The mailbox cannot send. Once per outage. Its leads keep their places, and it is retried automatically.',
    data: z.object({
      mailbox_id: id(),
      address: z.string(),
      error: z.string().nullable(),
      cause: z.enum(SENDER_CAUSES),
      next_try_at: dateTime(),
    }),
  },
  'mailbox.disconnected': {
    when: 'The mailbox cannot send. Its leads keep their places, and it is retried automatically.',
    data: z.object({
      mailbox_id: id(),
      address: z.string(),
      error: z.string().nullable(),
      cause: z.enum(SENDER_CAUSES),
    }),
  },
  'mailbox.unread': {
    when: 'The mailbox’s incoming emails cannot be read, so replies go unnoticed. Once per outage.',
    data: z.object({
      mailbox_id: id(),
      address: z.string(),
      error: z.string().nullable(),
      since: dateTime(),
    }),
  },
  'account.disconnected': {
    when: 'Its owner must sign in to the network again. Until then, nothing is done from the account.',
    data: z.object({
      account_id: id(),
      provider: z.string(),
      name: z.string(),
      error: z.string().nullable(),
    }),
  },
  'post.failed': {
    when: 'A post failed: the network refused it, or did so too often.',
    data: z.object({
      post_id: id(),
      connected_account_id: id().nullable(),
      text: z.string().describe('The first 500 characters.'),
      error: z.string().nullable(),
    }),
  },
  'dataset.completed': { when: 'A file’s rows were imported.', data: dataset },
  'dataset.failed': { when: 'The file could not be imported.', data: dataset },
} as const satisfies Record<string, { when: string; data: z.ZodType }>

export type EventType = keyof typeof EVENTS
export const EVENT_TYPES = typedKeys(EVENTS)

/** The body of a delivery. */
export const webhookPayload = (type: EventType) =>
  z.object({ type: z.literal(type), timestamp: dateTime(), data: EVENTS[type].data })
