import type { ImapFlow, ListResponse } from 'imapflow'
import type { SentCopies, SentCopy } from '#lib/providers/inbox/port'
import { searchUids } from '#lib/providers/inbox/search'

/** A copy may be a little older than its folder says: clocks differ. */
const SKEW_MS = 24 * 60 * 60_000

/**
 * Puts what left into the folder for it. One that is there already, put by the server, by another program or by a try whose end
 * nobody heard of, is not put there twice. Whatever goes wrong is told of the copies alone.
 */
export async function fileCopies(
  client: ImapFlow,
  listed: ListResponse[],
  copies: SentCopies,
  toText: (error: unknown) => string,
): Promise<void> {
  const open = new Set(copies.waiting.map(({ id }) => id))
  if (open.size === 0) return
  try {
    const folder = copies.folder ?? sentFolder(listed) ?? (await client.mailboxCreate(['Sent'])).path
    const there = await listThere(client, folder, copies.waiting)
    for (const copy of copies.waiting) {
      if (!there.has(copy.id)) await append(client, folder, copy)
      open.delete(copy.id)
      await copies.filed(copy.id)
    }
  } catch (error) {
    await copies.refused([...open], toText(error))
  }
}

/** Whether the server has a copy of it, by its Message-ID, in the folder for what was sent. */
export async function isInSent(client: ImapFlow, message_id: string, sent_at: Date): Promise<boolean> {
  const folder = sentFolder(await client.list())
  if (folder === null) return false
  return (await listThere(client, folder, [{ id: message_id, message_id, sent_at }])).size > 0
}

/** As the server marks it, or else by the name that mail programs give it in the languages of the world. */
export const sentFolder = (listed: ListResponse[]): string | null =>
  listed.find(({ specialUse, flags }) => specialUse === '\\Sent' && !flags.has('\\Noselect'))?.path ?? null

async function listThere(
  client: ImapFlow,
  folder: string,
  waiting: Pick<SentCopy, 'id' | 'message_id' | 'sent_at'>[],
): Promise<Set<string>> {
  await client.mailboxOpen(folder, { readOnly: true })
  const there = new Set<string>()
  for (const { id, message_id, sent_at } of waiting) {
    const query = { since: new Date(sent_at.getTime() - SKEW_MS), header: { 'message-id': message_id } }
    if ((await searchUids(client, query)).length > 0) there.add(id)
  }
  // Opened read-only it takes no flags.
  await client.mailboxClose()
  return there
}

async function append(client: ImapFlow, folder: string, { raw, sent_at }: SentCopy): Promise<void> {
  if (!(await client.append(folder, raw, ['\\Seen'], sent_at))) throw new Error('The connection was lost')
}
