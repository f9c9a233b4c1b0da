import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { dateTime, id, listEnvelope, optionalText, paging, pathId, text } from '#lib/contracts/fields'
import { SANDBOX_ANSWERS } from '#lib/domain/sandbox/sandbox-answers'

export const SandboxMessage = z
  .object({
    sandbox_message_id: id(),
    mail_from: z.string().describe('Sender in the SMTP envelope.'),
    rcpt_to: z.string().describe('Recipient in the SMTP envelope.'),
    from_address: z.string().describe('Address in the From header.'),
    message_id: z.string().nullable(),
    subject: z.string(),
    received_at: dateTime(),
  })
  .meta({ id: 'SandboxMessage' })
export type SandboxMessage = z.output<typeof SandboxMessage>

const Person = z.object({ name: z.string(), address: z.string() })

export const SandboxMessageDetail = SandboxMessage.extend({
  from: Person.nullable(),
  to: z.array(Person),
  date: z.string().nullable(),
  in_reply_to: z.string().nullable(),
  references: z.array(z.string()),
  text: z.string(),
  display_html: z.string().describe('A complete document for a sandboxed iframe. It runs and loads nothing.'),
  headers: z.array(z.object({ name: z.string(), value: z.string() })),
  attachments: z.array(
    z.object({ filename: z.string().nullable(), content_type: z.string(), size_bytes: z.int() }),
  ),
  unsubscribe_url: z.string().nullable().describe('From List-Unsubscribe, where one click suffices.'),
  raw: z.string().describe('The raw source of the email.'),
}).meta({ id: 'SandboxMessageDetail' })
export type SandboxMessageDetail = z.output<typeof SandboxMessageDetail>

const common = {
  method: 'GET',
  tag: 'Sandbox',
  errors: 'flat',
  status: 200,
  scope: 'read',
  refusals: [404],
} as const

export const ListSandboxMessages = contract({
  ...common,
  id: 'listSandboxMessages',
  path: '/sandbox/messages',
  summary: 'List sandbox emails',
  description:
    'Emails from your mailboxes to the sandbox mail server, newest first. 404 if the instance has no sandbox.',
  query: z.object({
    search: optionalText().describe('Part of the subject, the recipient or the sender.'),
    ...paging,
  }),
  response: listEnvelope(SandboxMessage),
})

export const ReadSandboxMessage = contract({
  ...common,
  id: 'readSandboxMessage',
  path: '/sandbox/messages/{sandbox_message_id}',
  summary: 'Read a sandbox email',
  description: 'As the recipient would see it, and the raw source.',
  params: z.object({ sandbox_message_id: pathId() }),
  response: SandboxMessageDetail,
})

export const AnswerSandboxMessage = contract({
  ...common,
  id: 'answerSandboxMessage',
  method: 'POST',
  path: '/sandbox/messages/{sandbox_message_id}/answer',
  summary: 'Reply to a sandbox email',
  description:
    'Replies as the recipient, or the recipient’s mail server, would. The reply travels by SMTP to the mailbox that sent the email, and is read from there like any other within moments.',
  params: z.object({ sandbox_message_id: pathId() }),
  body: z.object({
    kind: z.enum(SANDBOX_ANSWERS),
    text: text(0, 10_000).optional().describe('What a reply or an out-of-office says.'),
    until: z.iso.date().optional().describe('When an out-of-office says to be back.'),
  }),
  response: z.object({ sent_to: z.string() }),
  status: 202,
  scope: 'write',
  refusals: [404, 409, 502],
})

const inNetwork = { account: text(1, 200).describe('The account’s id at the network.') }
const withPerson = { ...inNetwork, person: text(1, 200).describe('The person’s id at the network.') }

export const ActInSandboxNetwork = contract({
  ...common,
  id: 'actInSandboxNetwork',
  method: 'POST',
  path: '/sandbox/network',
  summary: 'Simulate the sandbox network',
  description:
    'Simulates what the social network, or a person on it, does to an account of yours: sign the account out, refuse its next five actions as too many, accept or ignore an invitation, or write a message.',
  example: { body: { does: 'sign_out', account: 'sandbox-account-1' } },
  body: z.discriminatedUnion('does', [
    z.object({ does: z.literal('sign_out'), ...inNetwork }),
    z.object({ does: z.literal('limit'), ...inNetwork }),
    z.object({ does: z.literal('accept'), ...withPerson }),
    z.object({ does: z.literal('ignore'), ...withPerson }),
    z.object({ does: z.literal('write'), ...withPerson }),
  ]),
  response: null,
  status: 204,
  scope: 'write',
  unlogged: true,
  refusals: [404, 409],
})
