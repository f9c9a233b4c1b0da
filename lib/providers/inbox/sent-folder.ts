import type { ImapFlow, ListResponse } from 'imapflow'
import type { SentCopies, SentCopy } from '#lib/providers/inbox/port'
import { searchUids } from '#lib/providers/inbox/search'

/** A copy may be a little older than our time of sending: clocks differ. */
const SKEW_MS = 24 * 60 * 60_000

/**
 * Files sent messages in the Sent folder. A message that is there already, put by the server, another program or an attempt with
 * an unknown end, is not filed twice. A failure affects the copies only.
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

/** Whether the Sent folder holds a copy of the message, by its Message-ID. */
export async function isInSent(client: ImapFlow, message_id: string, sent_at: Date): Promise<boolean> {
  const folder = sentFolder(await client.list())
  if (folder === null) return false
  return (await listThere(client, folder, [{ id: message_id, message_id, sent_at }])).size > 0
}

/** The folder that the server marks as Sent, otherwise the one with a name that mail programs use for it. */
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
  // A folder that was opened read-only accepts no flags.
  await client.mailboxClose()
  return there
}

async function append(client: ImapFlow, folder: string, { raw, sent_at }: SentCopy): Promise<void> {
  if (!(await client.append(folder, raw, ['\\Seen'], sent_at))) throw new Error('The connection was lost')
}
