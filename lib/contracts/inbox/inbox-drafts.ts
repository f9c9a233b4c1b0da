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
    user_id: id().nullable().describe('The author. Null if their account was erased.'),
    author_name: z.string().nullable(),
    text: z.string(),
    ...keptCopies,
    attachments: z.array(AttachedFile).describe('The attached files.'),
    send_at: dateTime().nullable().describe('When it will be sent. Null: not scheduled.'),
    stopped: z.string().nullable().describe('Why it was not sent when its time came.'),
    last_message_id: id()
      .nullable()
      .describe(
        'The newest message its author saw. If another arrives before `send_at`, it is not sent. Null: it is sent in any case.',
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
  id().nullish().describe('`last_message_id` of the conversation when you read it. Null: send in any case.')

export const ReadInboxDrafts = contract({
  ...common,
  id: 'readInboxDrafts',
  method: 'GET',
  path: '/inbox/threads/{thread_id}/drafts',
  summary: 'List drafts and scheduled replies in a conversation',
  description: 'From all members, oldest first. At most 50. Clients do not see them.',
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
  summary: 'Save a draft reply',
  description:
    'Members who can see the conversation see it with its author. Nothing is sent. Send it with `replyInInbox` and its `draft_id`.',
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
  summary: 'Change, schedule or unschedule a reply',
  description:
    '`send_at` null unschedules a reply and keeps it as a draft. Another time reschedules it. A past time sends it now. 404 `draft_not_found` once it was sent.',
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
  summary: 'Discard a draft or scheduled reply',
  description: 'It is not sent. 404 `draft_not_found` once it was.',
  params: one,
  response: null,
  status: 204,
  scope: 'write',
  refusals: [404],
  destructive: true,
})
