import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { id, pathId } from '#lib/contracts/fields'
import { PRESENCE_STATES } from '#lib/domain/inbox/presence'

export const InboxPresence = z
  .object({
    thread_id: id(),
    user_id: id(),
    name: z.string(),
    is_typing: z.boolean().describe('True while they write an answer.'),
  })
  .meta({ id: 'InboxPresence' })
export type InboxPresence = z.output<typeof InboxPresence>

const common = { tag: 'Inbox', errors: 'flat', status: 200 } as const
const people = z.array(InboxPresence).describe('At most 200, without yourself.')

export const ReadInboxPresence = contract({
  ...common,
  id: 'readInboxPresence',
  method: 'GET',
  path: '/inbox/presence',
  summary: 'Read who has a conversation open',
  description:
    'Members who have a conversation open or answer it, as reported within the last minute. Clients are neither shown nor told.',
  response: z.object({ people }),
  scope: 'read',
})

export const ReportInboxPresence = contract({
  ...common,
  id: 'reportInboxPresence',
  method: 'POST',
  path: '/inbox/threads/{thread_id}/presence',
  summary: 'Report that you have a conversation open',
  description:
    'The other members see it for a minute; report again to stay visible, and `left` to disappear at once. Answers who else has this conversation open. It reserves nothing: send `last_message_id` with a reply to be refused if somebody was first. This does not appear in the audit log.',
  params: z.object({ thread_id: pathId() }),
  body: z.object({ state: z.enum(PRESENCE_STATES) }),
  response: z.object({ people }),
  scope: 'write',
  shared: true,
  unlogged: true,
  refusals: [404],
})
