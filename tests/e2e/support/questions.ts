import { db } from '#lib/db/client'
import type { Prisma } from '#lib/db/generated/client'

type Asked = { workspace_id: string; mailbox_id: string; counterpart_address?: string }
type Said = Partial<Pick<Prisma.InboxMessageUncheckedCreateInput, 'recipients' | 'cc' | 'text'>>

/** A conversation of one message, in which Ada asks for the price, and the address of its page. */
export async function aQuestion(
  { workspace_id, mailbox_id, counterpart_address = 'ada@prices.test' }: Asked,
  said: Said = {},
) {
  const about = { workspace_id, mailbox_id, subject: 'Prices' }
  const text = 'What does it cost?'
  const at = new Date()
  const { thread_id } = await db.thread.create({
    data: {
      ...about,
      counterpart_address,
      counterpart_name: 'Ada Quinn',
      unread: false,
      last_message_at: at,
      last_direction: 'in',
      last_kind: 'reply',
      preview: text,
    },
  })
  const incoming = { direction: 'in', kind: 'reply', from_address: 'ada@prices.test', text, at }
  await db.inboxMessage.create({ data: { ...about, ...incoming, ...said, thread_id } })
  return { thread_id, path: `/inbox/${thread_id}?folder=all` }
}
