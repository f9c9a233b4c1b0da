import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import {
  dateTime,
  editedVersion,
  id,
  listEnvelope,
  paging,
  pathId,
  text,
  version,
} from '#lib/contracts/fields'
import { failure } from '#lib/contracts/senders/sender-failures'
import { SenderUse } from '#lib/contracts/senders/sender-uses'
import { MAIL_ROUTES, MAIL_VENDORS } from '#lib/domain/domains/mail-vendors'
import { MAILBOX_COLUMNS, MAX_MAILBOX_ROWS } from '#lib/domain/domains/mailbox-table'
import { RAMP_CAUSES, RAMP_VERDICTS } from '#lib/domain/sending/ramp-health'

const SECURITIES = ['none', 'starttls', 'tls'] as const

const server = {
  host: text(1, 253),
  port: z.int().min(1).max(65_535),
  security: z.enum(SECURITIES),
  username: text(0, 320).nullish(),
}
const ServerInput = z.object({
  ...server,
  password: text(0, 1_000).nullish().describe('Encrypted at rest, never returned.'),
})
const Server = z.object({ ...server, username: z.string().nullish() })
const ramp = {
  start: z.int().min(1).max(10_000).describe('Messages on the first day.'),
  increase_per_day: z.int().min(0).max(10_000),
}
const BY_HEALTH =
  'Whether it rises only while bounces, deferrals, complaints and placement tests are in order. Otherwise it stays as it is, or falls to half.'
const RampUp = z.object({ ...ramp, by_health: z.boolean().default(false).describe(BY_HEALTH) })
const RampUpInput = z.object({ ...ramp, by_health: z.boolean().default(true).describe(BY_HEALTH) })
const count = z.int().min(0).default(0)
const RampHealth = z.object({
  date: z.iso.date().describe('The day for which this was decided.'),
  verdict: z.enum(RAMP_VERDICTS).describe('`hold`: as much as the day before. `fall`: half of it.'),
  cause: z.enum(RAMP_CAUSES).nullable().describe('Null while it rises.'),
  reason: z.string().nullable().describe('The cause in words, with its counts.'),
  rises_after: z.iso.date().describe('The last day that stays at this limit, if all goes well.'),
  evidence: z
    .object({
      sent: count,
      bounced: count,
      deferred: count,
      complained: count,
      outage_hours: count.describe('Hours in which nothing could be handed to its server.'),
      tested: count.describe('Emails of its last placement test that arrived.'),
      spam: count.describe('Those of them that arrived in a folder for spam.'),
    })
    .describe('What it was judged by: at most the seven days before, and each sign once.'),
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
          .describe('Connected by the key of this organization; null: somebody signed in.'),
        granted_at: dateTime(),
        ended_cause: z.enum(['signed_out', 'needs_admin']).nullable(),
        ended_at: dateTime().nullable(),
        watch: z
          .object({ expires_at: dateTime().nullable(), said: z.string().nullable() })
          .nullable()
          .describe(
            'Whether Google or Microsoft tells of new mail over its API, and until when; `said`: why it does not, so that mail is read on a schedule. Null: it was not asked to.',
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
        ramp_health: RampHealth.nullable().describe('What was decided for today, if it ramps up by health.'),
        today: z.int().describe('What may be sent today, considering the ramp-up.'),
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
        'Below each email. May hold `{{ sender.name }}`, `{{ sender.email }}` and fields of the sender profile.',
      ),
    reply_to: z.string().nullable().describe('Where answers go instead of to `address`.'),
    last_error: z.string().nullable().describe('The last message of its server or connection.'),
    ...failure,
    last_checked_at: dateTime().nullable(),
    inbox_polled_at: dateTime().nullable().describe('When incoming emails were last read.'),
    inbox_error: z
      .string()
      .nullable()
      .describe('Why incoming emails cannot be read. Until this is fixed, replies are not detected.'),
    save_sent: z
      .boolean()
      .describe(
        'Whether a copy of what it sends is put into its Sent folder over IMAP. Servers that do so themselves, as those of Gmail and Outlook, are left alone.',
      ),
    sent_folder: z
      .string()
      .nullable()
      .describe(
        'The folder for these copies, and in which emails to leads are looked for; null: the one that the server marks as Sent.',
      ),
    sent_error: z
      .string()
      .nullable()
      .describe(
        'Why the last copy could not be put there. It is tried again; the email itself was sent, once.',
      ),
    sent_polled_at: dateTime()
      .nullable()
      .describe(
        'When its Sent folder was last looked at for emails to leads that somebody wrote elsewhere; null: it has none that can be read.',
      ),
    version: version(),
    created_at: dateTime(),
    updated_at: dateTime(),
  })
  .meta({ id: 'Mailbox' })
export type Mailbox = z.output<typeof Mailbox>

const fields = {
  name: text(0, 200).nullable(),
  smtp: ServerInput,
  imap: ServerInput.nullable(),
  daily_limit: z.int().min(1).max(100_000),
  min_interval_seconds: z.int().min(0).max(86_400),
  ramp_up: RampUpInput.nullable(),
  signature: text(0, 10_000).nullable(),
  reply_to: z.email().max(320).toLowerCase().nullable(),
  save_sent: z.boolean(),
  sent_folder: text(1, 500).nullable(),
}
const params = z.object({ mailbox_id: pathId() })
const common = { tag: 'Mailboxes', errors: 'flat' } as const

export const ListMailboxes = contract({
  id: 'listMailboxes',
  method: 'GET',
  path: '/mail/mailboxes',
  ...common,
  summary: 'List mailboxes',
  query: z.object(paging),
  response: listEnvelope(Mailbox),
  status: 200,
  scope: 'read',
})

export const CreateMailbox = contract({
  id: 'createMailbox',
  method: 'POST',
  path: '/mail/mailboxes',
  ...common,
  summary: 'Connect a mailbox',
  description:
    'Use its id in `alias_ids` of a campaign. Nothing is sent; `/mail/mailboxes/{mailbox_id}/test` tests the connection.',
  body: z.object({
    address: z.email().max(320).toLowerCase(),
    name: fields.name.default(null),
    smtp: fields.smtp,
    imap: fields.imap.default(null),
    daily_limit: fields.daily_limit.default(50),
    min_interval_seconds: fields.min_interval_seconds.default(60),
    ramp_up: fields.ramp_up.default(null),
    signature: fields.signature.default(null),
    reply_to: fields.reply_to.default(null),
    save_sent: fields.save_sent.default(true),
    sent_folder: fields.sent_folder.default(null),
  }),
  response: Mailbox,
  status: 201,
  scope: 'write',
  refusals: [409],
})

export const ConnectMailboxes = contract({
  id: 'connectMailboxes',
  method: 'POST',
  path: '/mail/mailboxes/bulk',
  ...common,
  summary: 'Connect mailboxes from a table',
  description: `A CSV whose first row names the columns, of up to ${MAX_MAILBOX_ROWS} mailboxes: ${MAILBOX_COLUMNS.join(', ')}. Only \`address\` is required; \`password\` goes for both servers, and servers that a row does not name are looked up. Each row is connected and tested by itself: the answer says of each what came of it, and holds no password.`,
  body: z.object({ csv: text(1, 500_000).describe('With commas, semicolons or tabs.') }),
  example: { body: { csv: 'address,name,password\nana@example.com,Ana Silva,an app password\n' } },
  response: z.object({
    connected: z.int(),
    failing: z.int(),
    refused: z.int(),
    ignored_columns: z.array(z.string()),
    rows: z.array(
      z.object({
        row_number: z.int(),
        address: z.string().nullable(),
        outcome: z
          .enum(['connected', 'untested', 'failing', 'refused'])
          .describe(
            '`failing`: the mailbox is kept, but its test failed. `untested`: it is kept, but there was no time for its test. `refused`: nothing was kept.',
          ),
        mailbox_id: id().nullable(),
        error: z.string().nullable(),
      }),
    ),
  }),
  status: 200,
  scope: 'write',
})
export type ConnectedRows = z.output<typeof ConnectMailboxes.response>

export const ReadMailbox = contract({
  id: 'readMailbox',
  method: 'GET',
  path: '/mail/mailboxes/{mailbox_id}',
  ...common,
  summary: 'Read a mailbox',
  params,
  response: Mailbox,
  status: 200,
  scope: 'read',
  refusals: [404],
})

export const UpdateMailbox = contract({
  id: 'updateMailbox',
  method: 'PATCH',
  path: '/mail/mailboxes/{mailbox_id}',
  ...common,
  summary: 'Change a mailbox',
  description:
    'Only the fields you send change. A server without `password` keeps its password, as long as host, port and username stay the same.',
  params,
  body: z.object({ ...fields, version: editedVersion() }).partial(),
  response: Mailbox,
  status: 200,
  scope: 'write',
  refusals: [404, 409],
})

export const DeleteMailbox = contract({
  id: 'deleteMailbox',
  method: 'DELETE',
  path: '/mail/mailboxes/{mailbox_id}',
  ...common,
  summary: 'Remove a mailbox',
  description: '409 `mailbox_in_use` while a running campaign names it or its leads wait for a step from it.',
  params,
  response: null,
  status: 204,
  scope: 'write',
  refusals: [404, 409],
  destructive: true,
})

export const TestMailbox = contract({
  id: 'testMailbox',
  method: 'POST',
  path: '/mail/mailboxes/{mailbox_id}/test',
  ...common,
  summary: 'Test the connection of a mailbox',
  description:
    'Connects and signs in, sends nothing, and updates `status`. If the mailbox works again, campaigns that waited for it continue immediately.',
  params,
  response: z.object({ ok: z.boolean(), error: z.string().nullable(), checked_at: dateTime() }),
  status: 200,
  scope: 'write',
  refusals: [404],
})

const FoundServer = Server.pick({ host: true, port: true, security: true }).extend({
  username: z.string().nullable().describe('What to sign in by; null: the address.'),
})

export const FindMailServers = contract({
  id: 'findMailServers',
  method: 'GET',
  path: '/mail/servers',
  ...common,
  summary: 'Find the servers of an address',
  description:
    'Looks up where an address sends and receives: SRV records (RFC 6186), then what the domain’s own hosts publish for mail programs (autoconfiguration, Autodiscover), then the provider that takes its mail, then a guess. Addresses of known providers are not looked up. Asks DNS and the domain’s hosts over https; nothing connects to the mail servers.',
  query: z.object({ address: z.email().max(320).toLowerCase() }),
  example: { query: { address: 'ana@example.com' } },
  response: z.object({
    address: z.string(),
    found_by: z
      .enum(['domain', 'srv', 'autoconfig', 'autodiscover', 'mx', 'guess'])
      .nullable()
      .describe(
        'Null: nothing was found. The help pages of the provider name its servers. `guess`: usual names that exist; test the connection.',
      ),
    provider: z.string().nullable().describe('A known provider, such as `Google`.'),
    note: z.string().nullable().describe('What this provider needs before a program can sign in.'),
    vendor: z
      .enum(['google', 'microsoft'])
      .nullable()
      .describe(
        'Where the mailbox connects by OAuth instead of a password, if this instance has a client there.',
      ),
    smtp: FoundServer.nullable(),
    imap: FoundServer.nullable(),
  }),
  status: 200,
  scope: 'read',
})

export type FoundServers = z.output<typeof FindMailServers.response>

export const ConnectSandboxMailbox = contract({
  id: 'connectSandboxMailbox',
  method: 'POST',
  path: '/sandbox/mailbox',
  tag: 'Sandbox',
  errors: 'flat',
  summary: 'Connect the sandbox mailbox',
  description:
    'A mailbox with the account’s own address, whose emails stay in the sandbox of this instance. 409 if there is no sandbox, or if the address is already connected.',
  response: Mailbox,
  status: 201,
  scope: 'write',
  refusals: [409],
})
