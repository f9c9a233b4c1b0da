import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { dateTime, pathId } from '#lib/contracts/fields'
import { RECIPIENT_PROVIDERS } from '#lib/domain/domains/recipient-provider'
import { PAUSE_CAUSES } from '#lib/domain/sending/provider-pause'

const provider = z.enum(RECIPIENT_PROVIDERS)

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
    providers: z
      .array(
        z.object({
          provider: provider.describe('Who takes mail for the recipients, by the MX of their domain.'),
          ...counts,
          complained: z.int(),
          pause: z
            .object({
              cause: z.enum(PAUSE_CAUSES),
              paused_at: dateTime(),
              until: dateTime(),
            })
            .nullable()
            .describe('While the mailbox writes to nobody there.'),
        }),
      )
      .describe(
        'The same 30 days by the provider of the recipients. `other` has those whose provider is not known, too.',
      ),
    next_hours: z
      .array(z.object({ at: dateTime(), planned: z.int() }))
      .describe('The next 24 hours, the running one first, each campaign planned as if it were alone.'),
    campaigns_left_out: z.int().describe('Running campaigns that were too many to be planned for this.'),
  }),
  status: 200,
  scope: 'read',
  refusals: [404],
})
export const ResumeMailboxProvider = contract({
  id: 'resumeMailboxProvider',
  method: 'POST',
  path: '/mail/mailboxes/{mailbox_id}/resume-provider',
  tag: 'Mailboxes',
  errors: 'flat',
  summary: 'Write to a provider again',
  description:
    'Ends the pause of a mailbox for a provider before its time. Leads that wait for it have their turn at once, and what was refused before counts no more. `resumed` is false if there was no pause.',
  params: z.object({ mailbox_id: pathId() }),
  body: z.object({ provider }),
  response: z.object({ provider, resumed: z.boolean() }),
  status: 200,
  scope: 'send',
  refusals: [404],
})

export type MailboxHealth = z.output<typeof ReadMailboxHealth.response>
