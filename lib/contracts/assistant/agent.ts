import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { dateTime, editedVersion, freeForm, text, version } from '#lib/contracts/fields'

const threadId = () => text(1, 200)

export const Conversation = z
  .object({
    thread_id: z.string(),
    title: z.string().nullable().describe('The first message, until you rename the conversation.'),
    created_at: dateTime(),
    updated_at: dateTime(),
    message_count: z.int(),
    last_message: z.string().nullable().describe('The start of the last message.'),
    version: version(),
  })
  .meta({ id: 'Conversation' })
export type Conversation = z.output<typeof Conversation>

const Message = z
  .object({
    id: z.string(),
    role: z.enum(['user', 'assistant']),
    parts: z
      .array(z.record(z.string(), z.json()))
      .describe('The parts of a UI message: text, tool calls and their results, requests for approval.'),
  })
  .meta({ id: 'ConversationMessage' })

const WholeConversation = Conversation.extend({
  archived_at: dateTime().nullable(),
  messages: z.array(Message),
}).meta({ id: 'WholeConversation' })

/** A client that sends the whole conversation also sends the tool results in it. */
const CHAT_BYTES = 8 * 1024 * 1024
const MOST_SAID = 20_000

/** One part of a message as `useChat` sends it. Only text and approval decisions are read. */
const SaidPart = z.object({
  type: z.string(),
  text: z.string().optional(),
  state: z.string().optional(),
  approval: z
    .object({ id: text(1, 200), approved: z.boolean().optional(), reason: text(0, 1_000).optional() })
    .optional(),
})

const SaidMessage = z
  .object({ id: z.string().optional(), role: z.string(), parts: z.array(SaidPart) })
  .refine(
    ({ role, parts }) =>
      role !== 'user' ||
      parts.reduce((sum, part) => sum + (part.type === 'text' ? (part.text?.length ?? 0) : 0), 0) <=
        MOST_SAID,
    { path: ['parts'], message: `hold more than ${MOST_SAID} characters` },
  )
  .meta({ id: 'SaidMessage' })

const common = { tag: 'Assistant' } as const
/** An invalid thread id counts as absent. */
const params = z.object({ thread_id: z.string().transform((value) => threadId().catch('').parse(value)) })

export const AgentChat = contract({
  id: 'agentChat',
  method: 'POST',
  path: '/agent/chat',
  ...common,
  summary: 'Chat with the assistant',
  description:
    'All fields are optional. A client of the AI SDK (`useChat`) may send its own body instead: `id` is then the thread, and only the last of `messages` is read, for its text or its answered approvals. The response is a stream of server-sent events, the UI message stream of the AI SDK: lines of `data: {json}`, with `data: [DONE]` at the end. The metadata of its `start` part contains `thread_id`. Before the assistant changes or sends anything, it asks with a `tool-approval-request` part, and a `data-approval` part shows the exact effect. Answer with `resume`, once, within an hour. A model failure is sent as an `error` part. Bodies can be up to 8 MiB, since `messages` includes tool results.',
  example: { body: { message: 'Which campaigns are running, and when does each end?' } },
  body: z
    .object({
      thread_id: threadId().optional().describe('A new id starts a conversation under that id.'),
      message: text(0, MOST_SAID).default('').describe('Empty: the assistant says what it can do here.'),
      page_context: freeForm().optional().describe('Where the user is, such as `path` and `campaign_id`.'),
      resume: z
        .object({ approval_id: text(1, 200), approved: z.boolean(), reason: text(0, 1_000).optional() })
        .optional(),
      id: threadId()
        .optional()
        .describe('The name of the thread in `useChat`; `thread_id` takes precedence.'),
      messages: z
        .array(SaidMessage)
        .optional()
        .describe(
          'What `useChat` sends. Read only if there is neither `message` nor `resume`, and only the last message: the server knows the earlier ones. A last user message that is already known replaces everything after it.',
        ),
    })
    .refine(({ resume, message }) => !resume || message === '', {
      path: ['message'],
      message: 'cannot come with resume',
    })
    .default({ message: '' }),
  response: z.object({ thread_id: z.string() }),
  stream: true,
  status: 200,
  errors: 'legacy',
  validation: 'framework',
  max_bytes: CHAT_BYTES,
  scope: 'write',
  rate: 'ai',
  refusals: [409],
})

export const ListConversations = contract({
  id: 'listConversations',
  method: 'GET',
  path: '/agent/conversations',
  ...common,
  summary: 'List conversations with the assistant',
  description: 'Most recently changed first. Set `archived` to list archived conversations.',
  query: z.object({
    archived: z
      .preprocess((value) => (value === '' ? undefined : value), z.stringbool().optional())
      .describe('`true`: list archived conversations instead.'),
  }),
  response: z.object({ conversations: z.array(Conversation), total: z.int() }),
  status: 200,
  errors: 'legacy',
  scope: 'read',
})

export const ReadConversation = contract({
  id: 'readConversation',
  method: 'GET',
  path: '/agent/conversations/{thread_id}',
  ...common,
  summary: 'Read a conversation with the assistant',
  params,
  response: WholeConversation,
  status: 200,
  errors: 'flat',
  scope: 'read',
  refusals: [404],
})

export const UpdateConversation = contract({
  id: 'updateConversation',
  method: 'PATCH',
  path: '/agent/conversations/{thread_id}',
  ...common,
  summary: 'Rename or archive a conversation',
  description: 'Only the fields you send change.',
  params,
  body: z.object({
    title: text(1, 200).optional(),
    archived: z.boolean().optional(),
    version: editedVersion(),
  }),
  response: Conversation,
  status: 200,
  errors: 'flat',
  scope: 'write',
  refusals: [404, 409],
})

export const DeleteConversation = contract({
  id: 'deleteConversation',
  method: 'DELETE',
  path: '/agent/conversations/{thread_id}',
  ...common,
  summary: 'Delete a conversation',
  params,
  response: null,
  status: 204,
  errors: 'flat',
  scope: 'write',
  refusals: [404],
  destructive: true,
})
