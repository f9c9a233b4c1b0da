import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { dateTime, dateTimeInput, editedVersion, id, pathId, text, version } from '#lib/contracts/fields'
import { copyFields, keptCopies } from '#lib/contracts/inbox/copies'
import { AttachedFile, attachmentIds } from '#lib/contracts/messages/attachments'

export const MAX_ANSWER = 100_000

export const InboxDraft = z
  .object({
    draft_id: id().describe('Once it is sent, the `inbox_message_id` of the message.'),
    thread_id: id(),
    user_id: id().nullable().describe('Who wrote it. Null: their account is erased.'),
    author_name: z.string().nullable(),
    text: z.string(),
    ...keptCopies,
    attachments: z.array(AttachedFile).describe('The files that go with it.'),
    send_at: dateTime().nullable().describe('When it will be sent. Null: not by itself.'),
    stopped: z.string().nullable().describe('Why it was not sent when its time came.'),
    last_message_id: id()
      .nullable()
      .describe(
        'The newest message that its writer saw. If another comes in before `send_at`, it is not sent. Null: it is sent in any case.',
      ),
    version: version(),
    created_at: dateTime(),
    updated_at: dateTime(),
  })
  .meta({ id: 'InboxDraft' })
export type InboxDraft = z.output<typeof InboxDraft>

const params = z.object({ thread_id: pathId() })
const one = params.extend({ draft_id: pathId() })
const common = { tag: 'Inbox', errors: 'flat' } as const
const lastMessage = () =>
  id().nullish().describe('`last_message_id` of the conversation as you read it. Null: whatever comes in.')

export const ReadInboxDrafts = contract({
  ...common,
  id: 'readInboxDrafts',
  method: 'GET',
  path: '/inbox/threads/{thread_id}/drafts',
  summary: 'List drafts and scheduled answers of a conversation',
  description: 'Those of all members, oldest first. At most 50. Clients do not see them.',
  params,
  response: z.object({ drafts: z.array(InboxDraft) }),
  status: 200,
  scope: 'read',
  refusals: [404],
})

export const CreateInboxDraft = contract({
  ...common,
  id: 'createInboxDraft',
  method: 'POST',
  path: '/inbox/threads/{thread_id}/drafts',
  summary: 'Keep a draft of an answer',
  description:
    'The members who see the conversation see it, with its author. Nothing is sent: send it with `replyInInbox` and its `draft_id`.',
  params,
  body: z.object({
    text: text(1, MAX_ANSWER),
    ...copyFields,
    attachment_ids: attachmentIds().optional(),
    last_message_id: lastMessage(),
  }),
  response: InboxDraft,
  status: 201,
  scope: 'write',
  refusals: [404, 409],
})

export const UpdateInboxDraft = contract({
  ...common,
  id: 'updateInboxDraft',
  method: 'PATCH',
  path: '/inbox/threads/{thread_id}/drafts/{draft_id}',
  summary: 'Change, schedule or take back an answer',
  description:
    '`send_at` null takes a scheduled answer back: it stays as a draft. Another time moves it; one that is past sends it now. 404 `draft_not_found` once it was sent.',
  params: one,
  body: z.object({
    text: text(1, MAX_ANSWER).optional(),
    ...copyFields,
    attachment_ids: attachmentIds().optional(),
    send_at: dateTimeInput().nullable().optional().describe('Within a year.'),
    last_message_id: lastMessage(),
    version: editedVersion(),
  }),
  response: InboxDraft,
  status: 200,
  scope: 'send',
  refusals: [404, 409],
  destructive: true,
  previews: { readInboxThread: {} },
})

export const DeleteInboxDraft = contract({
  ...common,
  id: 'deleteInboxDraft',
  method: 'DELETE',
  path: '/inbox/threads/{thread_id}/drafts/{draft_id}',
  summary: 'Discard a draft or a scheduled answer',
  description: 'It is not sent. 404 `draft_not_found` once it was.',
  params: one,
  response: null,
  status: 204,
  scope: 'write',
  refusals: [404],
  destructive: true,
})
