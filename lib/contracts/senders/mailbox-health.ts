import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { dateTime, pathId } from '#lib/contracts/fields'
import { RECIPIENT_PROVIDERS } from '#lib/domain/domains/recipient-provider'
import { PAUSE_CAUSES } from '#lib/domain/sending/provider-pause'

const provider = z.enum(RECIPIENT_PROVIDERS)

const counts = {
  sent: z.int(),
  bounced: z.int().describe('Permanently refused, immediately or by a later report.'),
  deferred: z.int().describe('Refused for now and retried.'),
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
    'Its last 30 days in the owner’s time zone, and its campaigns’ plan for the next 24 hours. Bounces and replies count on the day they came in.',
  params: z.object({ mailbox_id: pathId() }),
  response: z.object({
    timezone: z.string(),
    days: z
      .array(z.object({ date: z.iso.date(), ...counts }))
      .describe('Oldest first. The last one is today.'),
    total: z.object(counts),
    providers: z
      .array(
        z.object({
          provider: provider.describe('The recipients’ email provider, by the MX of their domain.'),
          ...counts,
          complained: z.int(),
          pause: z
            .object({
              cause: z.enum(PAUSE_CAUSES),
              paused_at: dateTime(),
              until: dateTime(),
            })
            .nullable()
            .describe('Set while the mailbox has paused sending there.'),
        }),
      )
      .describe(
        'The same 30 days by recipients’ provider. `other` includes leads whose provider is unknown.',
      ),
    next_hours: z
      .array(z.object({ at: dateTime(), planned: z.int() }))
      .describe(
        'The next 24 hours, starting with the current one. Each campaign is planned as if it were alone.',
      ),
    campaigns_left_out: z
      .int()
      .describe('Running campaigns left out of this plan because there are too many.'),
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
  summary: 'Resume sending to a provider',
  description:
    'Ends a mailbox’s pause for a provider early. Waiting leads are due immediately, and earlier refusals no longer count. `resumed` is false if there was no pause.',
  params: z.object({ mailbox_id: pathId() }),
  body: z.object({ provider }),
  response: z.object({ provider, resumed: z.boolean() }),
  status: 200,
  scope: 'send',
  refusals: [404],
})

export type MailboxHealth = z.output<typeof ReadMailboxHealth.response>
