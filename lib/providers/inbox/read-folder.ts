import type { FetchMessageObject, FetchQueryObject, ImapFlow, MailboxObject } from 'imapflow'
import type { FetchedMail, InboxCursor, InboxReading, Place } from '#lib/providers/inbox/port'
import { searchUids, trySearch, validityIn } from '#lib/providers/inbox/search'
import { together } from '#lib/providers/inbox/together'
import { MESSAGE_REF } from '#lib/providers/mail/message-ref'

export type Progress = { read: number; more: boolean }

type Folder = Omit<Place, 'uid'>

/** How a folder is read. */
export type Way = {
  folder: string
  /** Where to start without a cursor; `wasRead`: the folder was read before, under another uid_validity. */
  since: (wasRead: boolean) => Promise<Date>
  /** Nothing older is searched for again. */
  oldest: Date
  /** How many more mails may be taken. */
  room: () => number
  /** Takes these mails in order; `reached` is called with the uid it got to. */
  take: (place: Folder, uids: number[], reached: (uid: number) => Promise<void>) => Promise<void>
}

/** An error thrown by our own callbacks, as opposed to one of the server. */
export class KeepFailed extends Error {}

export async function ours<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (cause) {
    throw new KeepFailed('', { cause })
  }
}

/**
 * Takes the new mail of a folder, in order. If nothing changed since the folder was last read completely, by the server's modseq
 * (RFC 7162) or otherwise by its next uid, opening the folder is all that is needed.
 */
export async function readFolder(
  client: ImapFlow,
  reading: InboxReading,
  progress: Progress,
  way: Way,
): Promise<void> {
  const { folder } = way
  const opened = await client.mailboxOpen(folder, { readOnly: true })
  const { uidNext } = opened
  const uid_validity = validityIn(opened)
  const known = reading.findCursor(folder)
  const cursor = known?.uid_validity === uid_validity ? known : null
  const modseq = readModseq(client, opened)
  if (cursor && isUnchanged(cursor, modseq, uidNext)) return
  const uids = cursor
    ? await newUids(client, reading, cursor, { folder, uid_validity, modseq, oldest: way.oldest })
    : await searchUids(client, { since: await way.since(known !== null) })
  const batch = uids.slice(0, Math.max(0, way.room()))
  const isWhole = batch.length === uids.length
  if (!isWhole) progress.more = true
  let last_uid = cursor?.last_uid ?? 0
  await way.take({ folder, uid_validity }, batch, async (uid) => {
    last_uid = Math.max(last_uid, uid)
    await ours(reading.advance(folder, { uid_validity, last_uid, modseq: cursor?.modseq ?? null }))
  })
  if (!isWhole) return
  // Mail from before the first reading is ignored, so even an empty folder gets a starting point. Later, an unseen uid may still
  // belong to a mail: some servers count a mail before they list it.
  if (!cursor) last_uid = Math.max(last_uid, (uidNext || 1) - 1)
  await ours(reading.advance(folder, { uid_validity, last_uid, modseq }))
}

/** How incoming folders are read: every mail is taken, a few at a time. */
export function wayOfArrivals(
  client: ImapFlow,
  reading: InboxReading,
  progress: Progress,
  { folder, max_source_bytes }: { folder: string; max_source_bytes: number },
): Way {
  return {
    folder,
    since: async (wasRead) => {
      const latest = wasRead ? await ours(reading.findLatest(folder)) : null
      return rereadFrom(reading.since, latest)
    },
    oldest: reading.since,
    room: () => reading.limit - progress.read,
    async take(place, uids, reached) {
      const take = async (group: number[], sources: Source[]) => {
        const mails: FetchedMail[] = []
        for (const source of sources) {
          const labels = await readLabels(client, folder, source.uid, source.raw)
          mails.push({ ...place, ...source, labels })
        }
        if (mails.length > 0) await ours(reading.keep(mails))
        progress.read += mails.length
        await reached(Math.max(...group))
      }
      for (const group of await groupUids(client, uids, max_source_bytes)) {
        const sources = await fetchSources(client, group, max_source_bytes)
        if (sources) await take(group, sources)
        else
          for (const uid of group) {
            const source = await fetchSource(client, reading, { ...place, uid }, max_source_bytes)
            await take([uid], source ? [source] : [])
          }
      }
    },
  }
}

/** Null if the server has no modseq, or none for this folder. */
const readModseq = (client: ImapFlow, { highestModseq, noModseq }: MailboxObject): bigint | null =>
  client.capabilities.has('CONDSTORE') && !noModseq && highestModseq ? highestModseq : null

function isUnchanged({ last_uid, modseq: kept }: InboxCursor, modseq: bigint | null, uidNext: number) {
  // A modseq that fell was restarted and says nothing.
  if (modseq !== null && kept) return modseq === kept
  return modseq === null && uidNext <= last_uid + 1
}

const RENUMBERED_MS = 2 * 24 * 60 * 60_000

/** A folder whose uid_validity changed is read again from about where the last reading ended: servers keep the dates of mail. */
export const rereadFrom = (since: Date, latest: Date | null): Date =>
  new Date(Math.max(since.getTime(), latest ? latest.getTime() - RENUMBERED_MS : 0))

type Opened = Folder & { modseq: bigint | null; oldest: Date }

/**
 * In order: the uids above the last one, and changed mails that were not taken before, whatever their uid. "n:*" includes the
 * last mail even if its uid is lower (RFC 3501 section 6.4.8).
 */
async function newUids(
  client: ImapFlow,
  reading: InboxReading,
  { last_uid, modseq: kept }: InboxCursor,
  { folder, uid_validity, modseq, oldest: since }: Opened,
): Promise<number[]> {
  const above = await searchUids(client, { uid: `${last_uid + 1}:*` })
  const fresh = above.filter((uid) => uid > last_uid)
  if (!modseq || !kept || modseq < kept) return fresh
  const changed = (await trySearch(client, { modseq: kept + 1n, since })) ?? []
  const below = changed.filter((uid) => uid <= last_uid)
  if (below.length === 0) return fresh
  const taken = await ours(reading.findKept(folder, uid_validity, below))
  return [...below.filter((uid) => !taken.has(uid)), ...fresh]
}

type Source = Pick<FetchedMail, 'raw' | 'received_at' | 'size_bytes' | 'is_refused'> & { uid: number }

const sourceQuery = (maxLength: number) => ({
  uid: true,
  size: true,
  internalDate: true,
  source: { start: 0, maxLength },
})

/** Null for a mail that was deleted meanwhile. Of a mail that is refused for too long only the head is fetched. */
export async function fetchSource(
  client: ImapFlow,
  reading: InboxReading,
  place: Place,
  maxLength: number,
): Promise<Source | null> {
  const { uid } = place
  const known = await fetchKnown(client, uid, sourceQuery(maxLength)).catch(async (error: unknown) => {
    if (!isRefusal(error) || !(await ours(reading.refuse(place)))) throw error
    return 'refused' as const
  })
  if (known !== 'refused') return known && toSource(known, uid)
  const head = await fetchKnown(client, uid, HEAD_QUERY).catch((error: unknown) => {
    if (isRefusal(error)) return null
    throw error
  })
  const raw = new Uint8Array(head?.headers ?? [])
  return { uid, raw, ...toFacts(head, raw), is_refused: true }
}

async function fetchKnown(client: ImapFlow, uid: number, query: FetchQueryObject) {
  const mail = await client.fetchOne(String(uid), query, { uid: true })
  // On a connection that was closed meanwhile, commands do nothing and report no error.
  requireUsable(client)
  return mail || null
}

/** A refusal of this mail alone: a server that is throttling refuses everything. */
const isRefusal = (error: unknown) =>
  error instanceof Error && 'responseStatus' in error && !('code' in error && error.code === 'ETHROTTLE')

const HEAD_QUERY = { uid: true, size: true, internalDate: true, headers: true }

function toSource({ source, internalDate, size }: FetchMessageObject, uid: number): Source | null {
  if (!source) return null
  const raw = new Uint8Array(source)
  return { uid, raw, ...toFacts({ internalDate, size }, raw) }
}

const toFacts = (known: Pick<FetchMessageObject, 'internalDate' | 'size'> | null, raw: Uint8Array) => ({
  // If the server gives no date or an invalid one, this is an invalid date too.
  received_at: new Date(known?.internalDate ?? Number.NaN),
  size_bytes: known?.size ?? raw.length,
})

/** Groups the uids that are fetched with one command, by the sizes the server reports. */
async function groupUids(client: ImapFlow, uids: number[], maxLength: number): Promise<number[][]> {
  if (uids.length < 2) return uids.map((uid) => [uid])
  const listed = await client.fetchAll(uids.join(','), { uid: true, size: true }, { uid: true })
  requireUsable(client)
  const sizes = new Map(listed.map(({ uid, size }) => [uid, Math.min(size ?? maxLength, maxLength)]))
  return together(uids, (uid) => sizes.get(uid) ?? 0)
}

/** Null if the server returns only some of the mails, or none: then each is fetched alone. */
async function fetchSources(client: ImapFlow, uids: number[], maxLength: number): Promise<Source[] | null> {
  if (uids.length === 1) return null
  const fetched = await client.fetchAll(uids.join(','), sourceQuery(maxLength), { uid: true }).catch(() => [])
  requireUsable(client)
  const known = new Map(fetched.map((mail) => [mail.uid, mail]))
  const sources = uids.map((uid) => {
    const mail = known.get(uid)
    return mail ? toSource(mail, uid) : null
  })
  return sources.every((source) => source !== null) ? sources : null
}

export function requireUsable(client: ImapFlow): void {
  if (!client.usable) throw new Error('The connection was lost')
}

const HEAD_BYTES = 32 * 1024
const TABS = ['promotions', 'social', 'updates', 'forums']

/** Gmail reveals a mail's tab only to searches, so this is asked only for our own mail, such as placement tests. */
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
