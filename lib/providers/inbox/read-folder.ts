import type { ImapFlow, MailboxObject } from 'imapflow'
import type { InboxCursor, InboxReading } from '#lib/providers/inbox/port'
import { searchUids, trySearch } from '#lib/providers/inbox/search'
import { MESSAGE_REF } from '#lib/providers/mail/message-ref'

export type Progress = { read: number; more: boolean }

type Limits = { folder: string; max_source_bytes: number }

/** What our own callers threw, told apart from what the server did. */
export class KeepFailed extends Error {}

export async function ours<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (cause) {
    throw new KeepFailed('', { cause })
  }
}

/**
 * Takes what is new in a folder, one mail at a time and in order. Where nothing changed since it was last read whole, by the
 * server's own count of changes (RFC 7162) or else by its next number, opening it is all that is asked.
 */
export async function readFolder(
  client: ImapFlow,
  reading: InboxReading,
  progress: Progress,
  { folder, max_source_bytes }: Limits,
): Promise<void> {
  const opened = await client.mailboxOpen(folder, { readOnly: true })
  const { uidValidity: uid_validity, uidNext } = opened
  const known = reading.findCursor(folder)
  const cursor = known?.uid_validity === uid_validity ? known : null
  const modseq = readModseq(client, opened)
  if (cursor && isUnchanged(cursor, modseq, uidNext)) return
  const uids = cursor
    ? await newUids(client, reading, cursor, { folder, uid_validity, modseq })
    : await searchUids(client, { since: await beginning(reading, folder, known !== null) })
  const batch = uids.slice(0, Math.max(0, reading.limit - progress.read))
  const isWhole = batch.length === uids.length
  if (!isWhole) progress.more = true
  let last_uid = cursor?.last_uid ?? 0
  for (const uid of batch) {
    await takeIn(client, reading, progress, { folder, uid_validity, uid, max_source_bytes })
    last_uid = Math.max(last_uid, uid)
    await ours(reading.advance(folder, { uid_validity, last_uid, modseq: cursor?.modseq ?? null }))
  }
  if (!isWhole) return
  // What was there before it was read for the first time is none of ours, so an empty folder has a beginning too. Later a number
  // that was not seen may still be that of a mail: some servers count a mail before they show it.
  if (!cursor) last_uid = Math.max(last_uid, (uidNext || 1) - 1)
  await ours(reading.advance(folder, { uid_validity, last_uid, modseq }))
}

/** Null where the server counts no changes, or not those of this folder. */
const readModseq = (client: ImapFlow, { highestModseq, noModseq }: MailboxObject): bigint | null =>
  client.capabilities.has('CONDSTORE') && !noModseq && highestModseq ? highestModseq : null

function isUnchanged({ last_uid, modseq: kept }: InboxCursor, modseq: bigint | null, uidNext: number) {
  // A count that fell was begun anew, and says nothing.
  if (modseq !== null && kept) return modseq === kept
  return modseq === null && uidNext <= last_uid + 1
}

const RENUMBERED_MS = 2 * 24 * 60 * 60_000

/** A folder that was numbered anew is read again from about where it ended: servers keep the dates of their mail. */
async function beginning(reading: InboxReading, folder: string, wasRead: boolean): Promise<Date> {
  const latest = wasRead ? await ours(reading.findLatest(folder)) : null
  return new Date(Math.max(reading.since.getTime(), latest ? latest.getTime() - RENUMBERED_MS : 0))
}

type Opened = { folder: string; uid_validity: bigint; modseq: bigint | null }

/**
 * In order: what is numbered above the last one, and what changed without having been taken in before, whatever its number.
 * "n:*" names the last mail even where its number is lower (RFC 3501 section 6.4.8).
 */
async function newUids(
  client: ImapFlow,
  reading: InboxReading,
  { last_uid, modseq: kept }: InboxCursor,
  { folder, uid_validity, modseq }: Opened,
): Promise<number[]> {
  const above = await searchUids(client, { uid: `${last_uid + 1}:*` })
  const fresh = above.filter((uid) => uid > last_uid)
  if (!modseq || !kept || modseq < kept) return fresh
  const changed = (await trySearch(client, { modseq: kept + 1n, since: reading.since })) ?? []
  const below = changed.filter((uid) => uid <= last_uid)
  if (below.length === 0) return fresh
  const taken = await ours(reading.findKept(folder, uid_validity, below))
  return [...below.filter((uid) => !taken.has(uid)), ...fresh]
}

type Place = Limits & { uid_validity: bigint; uid: number }

async function takeIn(
  client: ImapFlow,
  reading: InboxReading,
  progress: Progress,
  { folder, uid_validity, uid, max_source_bytes: maxLength }: Place,
): Promise<void> {
  const query = { uid: true, size: true, internalDate: true, source: { start: 0, maxLength } }
  // Nothing for a mail that was deleted meanwhile.
  const mail = (await client.fetchOne(String(uid), query, { uid: true })) || null
  if (!mail?.source) return
  const raw = new Uint8Array(mail.source)
  const received_at = mail.internalDate ? new Date(mail.internalDate) : new Date()
  const size_bytes = mail.size ?? raw.length
  const labels = await readLabels(client, folder, uid, raw)
  await ours(reading.keep({ folder, uid_validity, uid, raw, size_bytes, received_at, labels }))
  progress.read += 1
}

const HEAD_BYTES = 32 * 1024
const TABS = ['promotions', 'social', 'updates', 'forums']

/** Gmail tells its tabs by searches alone, so it is asked of mail of ours only: of a placement test, among others. */
async function readLabels(client: ImapFlow, folder: string, uid: number, raw: Uint8Array): Promise<string[]> {
  if (folder !== 'INBOX') return ['SPAM']
  const head = Buffer.from(raw.subarray(0, HEAD_BYTES)).toString('latin1').toLowerCase()
  const isOurs = head.includes(`${MESSAGE_REF.toLowerCase()}:`)
  if (!isOurs || !client.capabilities.has('X-GM-EXT-1')) return ['INBOX']
  for (const tab of TABS) {
    const query = { uid: `${uid}`, gmraw: `category:${tab}` }
    const there = await trySearch(client, query)
    if (there?.includes(uid)) return ['INBOX', `CATEGORY_${tab.toUpperCase()}`]
  }
  return ['INBOX']
}
