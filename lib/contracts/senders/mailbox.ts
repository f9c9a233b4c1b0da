import { z } from 'zod'
import { dateTime, id, text, version } from '#lib/contracts/fields'
import { failure } from '#lib/contracts/senders/sender-failures'
import { SenderUse } from '#lib/contracts/senders/sender-uses'
import { MAIL_ROUTES, MAIL_VENDORS } from '#lib/domain/domains/mail-vendors'
import { RAMP_CAUSES, RAMP_VERDICTS } from '#lib/domain/sending/ramp-health'

const SECURITIES = ['none', 'starttls', 'tls'] as const

const server = {
  host: text(1, 253),
  port: z.int().min(1).max(65_535),
  security: z.enum(SECURITIES),
  username: text(0, 320).nullish(),
}
export const ServerInput = z.object({
  ...server,
  password: text(0, 1_000).nullish().describe('Encrypted at rest, never returned.'),
})
export const Server = z.object({ ...server, username: z.string().nullish() })
const ramp = {
  start: z.int().min(1).max(10_000).describe('Messages on the first day.'),
  increase_per_day: z.int().min(0).max(10_000),
}
const BY_HEALTH =
  'Whether it rises only while bounces, deferrals, complaints and placement tests look good. Otherwise it stays the same or is halved.'
const RampUp = z.object({ ...ramp, by_health: z.boolean().default(false).describe(BY_HEALTH) })
export const RampUpInput = z.object({ ...ramp, by_health: z.boolean().default(true).describe(BY_HEALTH) })
const count = z.int().min(0).default(0)
const RampHealth = z.object({
  date: z.iso.date().describe('The day this applies to.'),
  verdict: z.enum(RAMP_VERDICTS).describe('`hold`: same as the day before. `fall`: half of it.'),
  cause: z.enum(RAMP_CAUSES).nullable().describe('Null while it rises.'),
  reason: z.string().nullable().describe('The cause in words, with its counts.'),
  rises_after: z.iso.date().describe('The last day at this limit if all goes well.'),
  evidence: z
    .object({
      sent: count,
      bounced: count,
      deferred: count,
      complained: count,
      outage_hours: count.describe('Hours in which its server accepted nothing.'),
      tested: count.describe('Emails of its last placement test that arrived.'),
      spam: count.describe('Of those, emails that arrived in spam.'),
    })
    .describe('The evidence for this: at most the seven days before, each signal counted once.'),
})

export const Mailbox = z
  .object({
    mailbox_id: id(),
    address: z.string(),
    name: z.string().nullable(),
    status: z
      .enum(['connected', 'failing'])
      .describe(
        '`failing`: it cannot send. Its leads keep their places, new leads get another mailbox of the campaign, and it is retried automatically.',
      ),
    smtp: Server,
    imap: Server.nullable(),
    oauth: z
      .object({
        vendor: z.enum(MAIL_VENDORS),
        route: z
          .enum(MAIL_ROUTES)
          .describe('`smtp`: over SMTP and IMAP. `api`: over the Gmail API or Microsoft Graph.'),
        organization_id: id()
          .nullable()
          .describe('Connected through this organization’s key. Null: somebody signed in.'),
        granted_at: dateTime(),
        ended_cause: z.enum(['signed_out', 'needs_admin']).nullable(),
        ended_at: dateTime().nullable(),
        watch: z
          .object({ expires_at: dateTime().nullable(), said: z.string().nullable() })
          .nullable()
          .describe(
            'Whether Google or Microsoft pushes new mail over its API, and until when. `said`: why not, in which case mail is read on a schedule. Null: not requested.',
          ),
      })
      .nullable()
      .describe(
        'Set if it signs in by OAuth instead of a password; `ended_cause` says why it has to be reconnected.',
      ),
    limits: z
      .object({
        daily_limit: z.int(),
        min_interval_seconds: z.int(),
        ramp_up: RampUp.nullable(),
        ramp_health: RampHealth.nullable().describe('Today’s decision if it ramps up by health.'),
        today: z.int().describe('What can be sent today, including the ramp-up.'),
        used_today: z.int(),
        used_by: z.array(SenderUse).describe('Which campaigns used it today, highest count first.'),
        timezone: z.string().describe('The time zone of these days: the owner’s.'),
        resets_at: dateTime(),
      })
      .describe('Counted per local date in the owner’s timezone.'),
    signature: z
      .string()
      .nullable()
      .describe(
        'Added below each email. Can contain `{{ sender.name }}`, `{{ sender.email }}` and sender profile fields.',
      ),
    reply_to: z.string().nullable().describe('Where replies go, if not to the From address.'),
    send_as: z
      .string()
      .nullable()
      .describe(
        'The From address: one of `aliases`. Null: `address`. If it is no longer in `aliases`, nothing is sent until another is chosen.',
      ),
    aliases: z
      .array(z.string())
      .describe(
        'Its other addresses. It can send as them, replies come from the address the email was sent to, and emails to them count as emails to itself.',
      ),
    aliases_read_at: dateTime()
      .nullable()
      .describe(
        'When `aliases` was last read from Google or Microsoft. A test reads it again. Null: entered manually.',
      ),
    aliases_error: z
      .string()
      .nullable()
      .describe('Why Google or Microsoft does not list them. Until it does, they are entered manually.'),
    last_error: z.string().nullable().describe('The last message from its server or connection.'),
    ...failure,
    last_checked_at: dateTime().nullable(),
    inbox_polled_at: dateTime().nullable().describe('When incoming emails were last read.'),
    inbox_error: z
      .string()
      .nullable()
      .describe('Why incoming emails cannot be read. Until this is fixed, replies are not detected.'),
    inbox_failing_since: dateTime()
      .nullable()
      .describe('Since when they cannot be read. Null while they can.'),
    save_sent: z
      .boolean()
      .describe(
        'Whether sent emails are copied to its Sent folder over IMAP. Not done for servers that do this themselves, such as Gmail and Outlook.',
      ),
    sent_folder: z
      .string()
      .nullable()
      .describe(
        'The folder for these copies, also searched for emails to leads. Null: the one the server marks as Sent.',
      ),
    sent_error: z
      .string()
      .nullable()
      .describe('Why the last copy failed. It is retried. The email itself was sent once.'),
    sent_polled_at: dateTime()
      .nullable()
      .describe(
        'When its Sent folder was last checked for emails to leads written elsewhere. Null: it has no readable one.',
      ),
    version: version(),
    created_at: dateTime(),
    updated_at: dateTime(),
  })
  .meta({ id: 'Mailbox' })
export type Mailbox = z.output<typeof Mailbox>
