import { ReadInboxPresence, ReportInboxPresence } from '#lib/contracts/inbox/inbox-presence'
import { operation } from '#lib/operations/operation'
import * as service from '#lib/services/inbox/thread/presence'

export const readInboxPresence = operation(ReadInboxPresence, async ({ user, now }) => ({
  people: await service.listPresent(user, now),
}))
export const reportInboxPresence = operation(
  ReportInboxPresence,
  async ({ user, params: { thread_id }, body, now }) => {
    const people = await service.enterThread(user, { thread_id, ...body }, now)
    return { people }
  },
)
