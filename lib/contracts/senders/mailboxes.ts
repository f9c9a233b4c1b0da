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
import { MAIL_VENDORS } from '#lib/domain/domains/mail-vendors'

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
const RampUp = z.object({
  start: z.int().min(1).max(10_000).describe('Messages on the first day.'),
  increase_per_day: z.int().min(0).max(10_000),
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
        granted_at: dateTime(),
        ended_cause: z.enum(['signed_out', 'needs_admin']).nullable(),
        ended_at: dateTime().nullable(),
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
        today: z.int().describe('What may be sent today, considering the ramp-up.'),
        used_today: z.int(),
        used_by: z.array(SenderUse).describe('Which campaigns used it today, highest count first.'),
        timezone: z.string().describe('The time zone of these days: the owner’s.'),
        resets_at: dateTime(),
      })
      .describe('Counted per local date in the owner’s timezone.'),
    signature: z.string().nullable(),
    last_error: z.string().nullable().describe('The last message of its server or connection.'),
    ...failure,
    last_checked_at: dateTime().nullable(),
    inbox_polled_at: dateTime().nullable().describe('When incoming emails were last read.'),
    inbox_error: z
      .string()
      .nullable()
      .describe('Why incoming emails cannot be read. Until this is fixed, replies are not detected.'),
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
  ramp_up: RampUp.nullable(),
  signature: text(0, 10_000).nullable(),
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
  }),
  response: Mailbox,
  status: 201,
  scope: 'write',
  refusals: [409],
})

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

const FoundServer = Server.pick({ host: true, port: true, security: true })

export const FindMailServers = contract({
  id: 'findMailServers',
  method: 'GET',
  path: '/mail/servers',
  ...common,
  summary: 'Find the servers of an address',
  description:
    'Looks up where an address sends and receives: by its domain, by its MX records if they name a known provider, then by SRV records (RFC 6186). Asks DNS only; nothing connects to the servers.',
  query: z.object({ address: z.email().max(320).toLowerCase() }),
  example: { query: { address: 'ana@example.com' } },
  response: z.object({
    address: z.string(),
    found_by: z
      .enum(['domain', 'mx', 'srv'])
      .nullable()
      .describe('Null: nothing was found. The help pages of the provider name its servers.'),
    provider: z.string().nullable().describe('A known provider, such as `Google`.'),
    note: z.string().nullable().describe('What this provider needs before a program can sign in.'),
    smtp: FoundServer.nullable(),
    imap: FoundServer.nullable(),
  }),
  status: 200,
  scope: 'read',
})

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
