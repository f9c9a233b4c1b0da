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

const SECURITIES = ['none', 'starttls', 'tls'] as const

const server = {
  host: text(1, 253),
  port: z.int().min(1).max(65_535),
  security: z.enum(SECURITIES),
  username: text(0, 320).nullish(),
}
const ServerInput = z.object({
  ...server,
  password: text(0, 1_000).nullish().describe('Sealed at rest, never returned.'),
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
        '`failing`: it cannot send. Its leads keep their places, new ones get another mailbox of the campaign, and it is tried again by itself.',
      ),
    smtp: Server,
    imap: Server.nullable(),
    limits: z
      .object({
        daily_limit: z.int(),
        min_interval_seconds: z.int(),
        ramp_up: RampUp.nullable(),
        today: z.int().describe('What may leave today, ramp-up considered.'),
        used_today: z.int(),
        used_by: z.array(SenderUse).describe('Which campaigns used it today, the most first.'),
        timezone: z.string().describe('The zone in which these days are counted: the owner’s.'),
        resets_at: dateTime(),
      })
      .describe('Counted per local date in the owner’s timezone.'),
    signature: z.string().nullable(),
    last_error: z.string().nullable().describe('What its server, or the way there, said last.'),
    ...failure,
    last_checked_at: dateTime().nullable(),
    inbox_polled_at: dateTime().nullable().describe('When its incoming mail was last read.'),
    inbox_error: z
      .string()
      .nullable()
      .describe('Why incoming mail could not be read: until then replies are not seen.'),
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
    'Its id may stand in `alias_ids` of a campaign. Nothing is sent; `/mail/mailboxes/{mailbox_id}/test` tries the connection.',
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
    'Only the fields given change. A server given without `password` keeps the password it has, as long as host, port and username stay the same.',
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
    'Connects and signs in, sends nothing, and sets `status` by the result. Where it works again, campaigns that waited for it go on at once.',
  params,
  response: z.object({ ok: z.boolean(), error: z.string().nullable(), checked_at: dateTime() }),
  status: 200,
  scope: 'write',
  refusals: [404],
})

export const ConnectSandboxMailbox = contract({
  id: 'connectSandboxMailbox',
  method: 'POST',
  path: '/sandbox/mailbox',
  tag: 'Sandbox',
  errors: 'flat',
  summary: 'Connect the sandbox mailbox',
  description:
    'A mailbox under the account’s own address, whose mail stays in the sandbox of this instance. 409 where there is no sandbox, or where the address is connected already.',
  response: Mailbox,
  status: 201,
  scope: 'write',
  refusals: [409],
})
