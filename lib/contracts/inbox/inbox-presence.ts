import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { id, pathId } from '#lib/contracts/fields'
import { PRESENCE_STATES } from '#lib/domain/inbox/presence'

export const InboxPresence = z
  .object({
    thread_id: id(),
    user_id: id(),
    name: z.string(),
    is_typing: z.boolean().describe('True while they are writing a reply.'),
  })
  .meta({ id: 'InboxPresence' })
export type InboxPresence = z.output<typeof InboxPresence>

const common = { tag: 'Inbox', errors: 'flat', status: 200 } as const
const people = z.array(InboxPresence).describe('At most 200, excluding you.')

export const ReadInboxPresence = contract({
  ...common,
  id: 'readInboxPresence',
  method: 'GET',
  path: '/inbox/presence',
  summary: 'Read who has a conversation open',
  description:
    'Members who have a conversation open or are replying, as reported within the last minute. Clients are not shown and do not see this.',
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
    'Other members see it for a minute. Report again to stay visible, or `left` to disappear immediately. Returns who else has the conversation open. It reserves nothing: send `last_message_id` with a reply to have it refused if somebody was faster. This does not appear in the audit log.',
  params: z.object({ thread_id: pathId() }),
  body: z.object({ state: z.enum(PRESENCE_STATES) }),
  response: z.object({ people }),
  scope: 'write',
  shared: true,
  unlogged: true,
  refusals: [404],
})
