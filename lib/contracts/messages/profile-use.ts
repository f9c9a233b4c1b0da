import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { dateTime, id, pathId } from '#lib/contracts/fields'
import { CAMPAIGN_STATUSES } from '#lib/domain/campaigns/campaign-status'

const counts = { sent: z.int(), replied: z.int() }

export const SenderProfileUse = z
  .object({
    timezone: z.string(),
    total: z.object(counts),
    days: z
      .array(z.object({ date: z.iso.date(), ...counts }))
      .describe('Oldest first. The last one is today.'),
    campaigns: z
      .array(
        z.object({
          campaign_id: id(),
          name: z.string(),
          status: z.enum(CAMPAIGN_STATUSES),
          steps: z.array(z.int()).describe('Steps written as this profile.'),
          next_slot_at: dateTime().nullable(),
          ...counts,
        }),
      )
      .describe('Running ones first, then the newest; at most 50.'),
    campaigns_left_out: z.int().describe('More campaigns that use it.'),
    runs: z.int().describe('Personalization runs that used it.'),
    senders: z
      .array(
        z.object({
          sender_id: id(),
          kind: z.enum(['mailbox', 'account']),
          name: z.string(),
          last_day: z.iso.date().describe('When it last sent for one of these campaigns.'),
        }),
      )
      .describe('The mailboxes and accounts that sent for these campaigns in the 30 days, at most 10.'),
    recent: z
      .array(
        z.object({
          action_id: id(),
          at: dateTime(),
          campaign_id: id(),
          campaign_name: z.string(),
          campaign_lead_id: id(),
          name: z.string().describe('The recipient: name, otherwise address, otherwise profile.'),
          step: z.int(),
          channel: z.string(),
          action_type: z.string(),
          subject: z.string().nullable(),
        }),
      )
      .describe('The latest 10 messages of the 30 days, newest first.'),
  })
  .meta({ id: 'SenderProfileUse' })
export type SenderProfileUse = z.output<typeof SenderProfileUse>

export const ReadSenderProfileUse = contract({
  id: 'readSenderProfileUse',
  method: 'GET',
  path: '/sender-profiles/{id}/use',
  tag: 'Sender profiles',
  errors: 'flat',
  summary: 'Read how a sender profile is used',
  description:
    'Which campaigns have steps written as this profile, and what those steps sent in the last 30 days, in the workspace’s time zone. Steps without a profile use the default. Replies count on the day they came in.',
  params: z.object({ id: pathId() }),
  response: SenderProfileUse,
  status: 200,
  scope: 'read',
  refusals: [404],
})
