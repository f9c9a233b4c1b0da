import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { dateTime, pathId } from '#lib/contracts/fields'

const counts = {
  sent: z.int(),
  bounced: z.int().describe('Refused for good, at once or by a report later.'),
  deferred: z.int().describe('Refused for now, and tried again.'),
  replied: z.int(),
}

export const ReadMailboxHealth = contract({
  id: 'readMailboxHealth',
  method: 'GET',
  path: '/mail/mailboxes/{mailbox_id}/health',
  tag: 'Mailboxes',
  errors: 'flat',
  summary: 'Read the health of a mailbox',
  description:
    'Its last 30 days in the owner’s time zone, and what its campaigns plan for the next 24 hours. Bounces and replies count on the day on which they came.',
  params: z.object({ mailbox_id: pathId() }),
  response: z.object({
    timezone: z.string(),
    days: z
      .array(z.object({ date: z.iso.date(), ...counts }))
      .describe('The oldest first; the last one is today.'),
    total: z.object(counts),
    next_hours: z
      .array(z.object({ at: dateTime(), planned: z.int() }))
      .describe('The next 24 hours, the running one first, each campaign planned as if it were alone.'),
    campaigns_left_out: z.int().describe('Running campaigns that were too many to be planned for this.'),
  }),
  status: 200,
  scope: 'read',
  refusals: [404],
})
export type MailboxHealth = z.output<typeof ReadMailboxHealth.response>
