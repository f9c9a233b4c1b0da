import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { dateTime, id, listEnvelope, paging, pathId, text } from '#lib/contracts/fields'

export const MAX_NOTE = 5_000

export const InboxNote = z
  .object({
    note_id: id(),
    thread_id: id(),
    user_id: id().nullable().describe('The author. Null if their account was erased.'),
    author_name: z.string().nullable(),
    text: z.string(),
    mentions: z
      .array(z.object({ user_id: id(), name: z.string() }))
      .describe('The members mentioned in the text.'),
    created_at: dateTime(),
  })
  .meta({ id: 'InboxNote' })
export type InboxNote = z.output<typeof InboxNote>

const params = z.object({ thread_id: pathId() })
const common = { tag: 'Inbox', errors: 'flat' } as const

export const ListInboxNotes = contract({
  ...common,
  id: 'listInboxNotes',
  method: 'GET',
  path: '/inbox/threads/{thread_id}/notes',
  summary: 'List the notes on a conversation',
  description: 'Members’ internal notes, newest first. Notes are never sent.',
  params,
  query: z.object(paging),
  response: listEnvelope(InboxNote),
  status: 200,
  scope: 'read',
  refusals: [404],
})

export const CreateInboxNote = contract({
  ...common,
  id: 'createInboxNote',
  method: 'POST',
  path: '/inbox/threads/{thread_id}/notes',
  summary: 'Write a note on a conversation',
  description:
    'Plain text that only the workspace sees. `@name` mentions a member, by the name in the list of members; they are notified. Clients cannot see notes or be mentioned.',
  params,
  body: z.object({ text: text(1, MAX_NOTE) }),
  response: InboxNote,
  status: 201,
  scope: 'write',
  refusals: [404],
})

export const DeleteInboxNote = contract({
  ...common,
  id: 'deleteInboxNote',
  method: 'DELETE',
  path: '/inbox/threads/{thread_id}/notes/{note_id}',
  summary: 'Delete a note',
  description: 'Your own notes. Admins can delete any note.',
  params: params.extend({ note_id: pathId() }),
  response: null,
  status: 204,
  scope: 'write',
  refusals: [404],
  destructive: true,
})
