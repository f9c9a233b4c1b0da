import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import {
  dateTime,
  editedVersion,
  emptyOrText,
  id,
  listEnvelope,
  paging,
  pathId,
  text,
} from '#lib/contracts/fields'
import { Mailbox, RampUpInput, Server, ServerInput } from '#lib/contracts/senders/mailbox'
import { MAILBOX_COLUMNS, MAX_MAILBOX_ROWS } from '#lib/domain/domains/mailbox-table'
import { MAX_ALIASES } from '#lib/domain/messages/own-addresses'
import { SENDER_CAUSES } from '#lib/domain/sending/sender-failures'

const fields = {
  name: emptyOrText(200).nullable(),
  smtp: ServerInput,
  imap: ServerInput.nullable(),
  daily_limit: z.int().min(1).max(100_000),
  min_interval_seconds: z.int().min(0).max(86_400),
  ramp_up: RampUpInput.nullable(),
  signature: emptyOrText(10_000).nullable(),
  reply_to: z.email().max(320).toLowerCase().nullable(),
  send_as: z.email().max(320).toLowerCase().nullable(),
  aliases: z.array(z.email().max(320).toLowerCase()).max(MAX_ALIASES),
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
    send_as: fields.send_as.default(null),
    aliases: fields.aliases.default([]),
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
  description: `A CSV with column names in the first row and up to ${MAX_MAILBOX_ROWS} mailboxes: ${MAILBOX_COLUMNS.join(', ')}. Only \`address\` is required. \`password\` is used for both servers, and missing servers are looked up. Each row is connected and tested separately. The response has a result for each and never a password.`,
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
            '`failing`: the mailbox was saved, but its test failed. `untested`: it was saved, but there was no time to test it. `refused`: nothing was saved.',
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
    'Only the fields you send change. A server without `password` keeps its password as long as host, port and username stay the same. `aliases` can be set only if Google or Microsoft does not list them.',
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
  description: '409 `mailbox_in_use` while a running campaign uses it or its leads wait for a step from it.',
  params,
  response: null,
  status: 204,
  scope: 'write',
  refusals: [404, 409],
  destructive: true,
})

const Tested = z
  .object({
    ok: z.boolean(),
    cause: z
      .enum(SENDER_CAUSES)
      .nullable()
      .describe('What is wrong, as in `failing_cause`. Null: nothing, or a temporary problem.'),
    error: z.string().nullable(),
  })
  .meta({ id: 'TestedServer' })

export const TestMailbox = contract({
  id: 'testMailbox',
  method: 'POST',
  path: '/mail/mailboxes/{mailbox_id}/test',
  ...common,
  summary: 'Test the connection of a mailbox',
  description:
    'Connects to both servers and signs in, sends and reads nothing, and updates `status` and `inbox_error`. Also checks whether the SMTP server allows sending as `send_as`, and reads `aliases` from Google or Microsoft. If the mailbox works again, waiting campaigns continue immediately.',
  params,
  response: z.object({
    ok: z.boolean().describe('Whether both sign-ins succeeded.'),
    error: z.string().nullable(),
    checked_at: dateTime(),
    smtp: Tested.describe('Whether it can send, over SMTP or the API of Google or Microsoft.'),
    imap: Tested.nullable().describe(
      'Whether its incoming emails can be read. Null: no server is set for that.',
    ),
  }),
  status: 200,
  scope: 'write',
  refusals: [404],
})

const FoundServer = Server.pick({ host: true, port: true, security: true }).extend({
  username: z.string().nullable().describe('The user name. Null: the address.'),
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
        'Null: nothing was found; see the provider’s help pages. `guess`: common names that exist; test the connection.',
      ),
    provider: z.string().nullable().describe('A known provider, such as `Google`.'),
    note: z.string().nullable().describe('What this provider requires before a program can sign in.'),
    vendor: z
      .enum(['google', 'microsoft'])
      .nullable()
      .describe('Where to connect with OAuth instead of a password, if this instance has a client for it.'),
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
    'A mailbox with the account’s own address. Its emails stay in this instance’s sandbox. 409 if there is no sandbox, or if the address is already connected.',
  response: Mailbox,
  status: 201,
  scope: 'write',
  refusals: [409],
})
