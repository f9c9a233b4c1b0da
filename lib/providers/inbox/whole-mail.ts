import type { ImapFlow } from 'imapflow'
import { type MailMark, mailGone, mailTooLarge, type WholeMail } from '#lib/providers/inbox/port'
import { requireUsable } from '#lib/providers/inbox/read-folder'
import { searchUids, validityIn } from '#lib/providers/inbox/search'

/** Folders into which people and their filters move mail. */
const MOVED_TO = new Set(['\\All', '\\Archive', '\\Junk', '\\Trash'])

/** Finds a mail by its uid, or if that is no longer valid by its Message-ID, in the folders that mail is moved to. */
export async function findWhole(client: ImapFlow, mark: MailMark): Promise<WholeMail> {
  const known = await inFolder(client, mark.folder, mark, (validity) =>
    validity === mark.uid_validity ? [Number(mark.uid)] : [],
  )
  const { message_id } = mark
  if (known || !message_id) return known ?? mailGone()
  const listed = await client.list()
  const others = listed.filter(({ specialUse }) => MOVED_TO.has(specialUse ?? '')).map(({ path }) => path)
  for (const folder of new Set([mark.folder, 'INBOX', ...others])) {
    const search = () => searchUids(client, { header: { 'message-id': message_id } })
    const whole = await inFolder(client, folder, mark, search)
    if (whole) return whole
  }
  return mailGone()
}

/** The first mail that `find` returns; null if there is none, or the folder is gone. */
async function inFolder(
  client: ImapFlow,
  folder: string,
  { max_bytes }: MailMark,
  find: (validity: bigint) => number[] | Promise<number[]>,
): Promise<WholeMail | null> {
  const opened = await client.mailboxOpen(folder, { readOnly: true }).catch((error: unknown) => {
    if (client.usable) return null
    throw error
  })
  for (const uid of opened ? (await find(validityIn(opened))).slice(0, 1) : []) {
    const query = { uid: true, size: true, source: { start: 0, maxLength: max_bytes } }
    const mail = (await client.fetchOne(String(uid), query, { uid: true })) || null
    requireUsable(client)
    if (!mail?.source) return null
    return (mail.size ?? 0) > max_bytes ? mailTooLarge() : { ok: true, raw: new Uint8Array(mail.source) }
  }
  return null
}
