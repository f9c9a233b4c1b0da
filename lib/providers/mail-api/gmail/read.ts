import { z } from 'zod'
import {
  type InboxConnection,
  type InboxProvider,
  type InboxReading,
  type MailMark,
  mailGone,
  mailTooLarge,
  type SentMark,
  type WholeMail,
} from '#lib/providers/inbox/port'
import { gmailFault } from '#lib/providers/mail-api/gmail/faults'
import { readHeaders, readSentHead } from '#lib/providers/mail-api/gmail/message-id'
import { GMAIL_ROOT } from '#lib/providers/mail-api/gmail/upload'
import { type ApiAnswer, type ApiCall, askApi, type MailApiOptions } from '#lib/providers/mail-api/http'
import { askFor, isDone, isGone, otherForm, Refused, refusedReading } from '#lib/providers/mail-api/outcome'
import { toUid } from '#lib/providers/mail-api/uid'

export const GMAIL_FOLDER = 'Gmail'
const UID_VALIDITY = 1n
/** Only the beginning of a larger mail is kept, with one byte more that shows that it was longer; attachments are not stored anyway. */
const MAX_RAW = 1024 * 1024 + 1
const MAX_PAGES = 40
/** Labels of messages that were neither received nor sent. */
const NOT_READ = ['DRAFT', 'CHAT', 'TRASH']
/** The most sent mails looked at in one reading. */
const MOST_HEADS = 500

const Profile = z.object({ historyId: z.string() })
const Page = z.object({
  messages: z.array(z.object({ id: z.string() })).optional(),
  nextPageToken: z.string().optional(),
})
const Added = z.object({ message: z.object({ id: z.string(), labelIds: z.array(z.string()).optional() }) })
const History = z.object({
  history: z
    .array(
      z.object({
        id: z.string(),
        messagesAdded: z.array(Added).optional(),
        labelsAdded: z.array(Added.extend({ labelIds: z.array(z.string()).optional() })).optional(),
      }),
    )
    .optional(),
  nextPageToken: z.string().optional(),
  historyId: z.string(),
})
const Minimal = z.object({
  labelIds: z.array(z.string()).optional(),
  sizeEstimate: z.number().optional(),
  internalDate: z.string().regex(/^\d{1,15}$/),
})

type Ask = (call: ApiCall) => Promise<Extract<ApiAnswer, { status: number }>>

/**
 * Reads the mail that Gmail received, spam included, since answers land there too, and the mail that was sent. Reads the history
 * from where the last reading ended; if Gmail has dropped that part, lists all mail since the last one, once.
 */
export function createGmailInbox(options: MailApiOptions): InboxProvider {
  const { clock = () => new Date() } = options
  const asker = ({ access_token }: InboxConnection): Ask => {
    const token = access_token ?? ''
    return async (call) => {
      const answer = await askApi(options, token, { ...call, path: `${GMAIL_ROOT}${call.path}` })
      if (!isDone(answer)) throw new Refused(gmailFault(answer, token, clock()))
      return answer
    }
  }
  return {
    async read(connection, reading) {
      const progress = { read: 0, looked: 0 }
      try {
        const looked = reading.sent !== undefined
        return { ok: true, looked, ...(await readNew(asker(connection), reading, progress)) }
      } catch (error) {
        return { ...refusedReading(error), read: progress.read }
      }
    },
    async findSent(connection, mark) {
      try {
        return { ok: true, found: await findSent(asker(connection), mark) }
      } catch (error) {
        return refusedReading(error)
      }
    },
    async fetchWhole(connection, mark) {
      try {
        return await fetchWhole(asker(connection), mark)
      } catch (error) {
        const refused = refusedReading(error)
        return isGone(error) ? mailGone() : refused
      }
    },
  }
}

type Progress = { read: number; looked: number }

async function readNew(ask: Ask, reading: InboxReading, progress: Progress) {
  const cursor = reading.findCursor(GMAIL_FOLDER)
  if (!cursor?.sync_token)
    return readListed(ask, reading, progress, cursor?.last_uid ?? reading.since.getTime())
  try {
    return await readHistory(ask, reading, progress, { last_uid: cursor.last_uid, from: cursor.sync_token })
  } catch (error) {
    // Gmail keeps about a week of history.
    if (!(error instanceof Refused) || error.fault.kind !== 'gone') throw error
    return readListed(ask, reading, progress, cursor.last_uid)
  }
}

/** Oldest first, so that the next reading continues where this one stops. */
async function readListed(ask: Ask, reading: InboxReading, progress: Progress, since: number) {
  // Read before the list: mail that arrives meanwhile is in the history after this id.
  const { historyId } = await askFor(ask, Profile, { path: '/profile' })
  const ids = await listSince(ask, since, reading.sent === undefined)
  const batch = ids.slice(0, Math.max(0, reading.limit))
  let last_uid = since
  for (const id of batch) {
    last_uid = Math.max(last_uid, (await take(ask, reading, progress, id)) ?? last_uid)
    await reading.advance(GMAIL_FOLDER, { uid_validity: UID_VALIDITY, last_uid, sync_token: null })
  }
  const more = batch.length < ids.length
  if (!more)
    await reading.advance(GMAIL_FOLDER, { uid_validity: UID_VALIDITY, last_uid, sync_token: historyId })
  return { read: progress.read, more }
}

async function listSince(ask: Ask, since: number, isArrivedOnly: boolean): Promise<string[]> {
  const but = `${isArrivedOnly ? '-in:sent ' : ''}-in:drafts -in:trash -in:chats`
  const ids: string[] = []
  let pageToken = ''
  for (let page = 0; page < MAX_PAGES; page++) {
    const query = {
      q: `after:${Math.floor(since / 1_000)} ${but}`,
      includeSpamTrash: 'true',
      maxResults: 500,
      ...(pageToken && { pageToken }),
    }
    const listed = await askFor(ask, Page, { path: '/messages', query })
    ids.push(...(listed.messages ?? []).map(({ id }) => id))
    pageToken = listed.nextPageToken ?? ''
    if (!pageToken) break
  }
  // Gmail lists the newest first.
  return ids.reverse()
}

async function readHistory(
  ask: Ask,
  reading: InboxReading,
  progress: Progress,
  { from, ...cursor }: { last_uid: number; from: string },
) {
  let { last_uid } = cursor
  const advance = (sync_token: string) =>
    reading.advance(GMAIL_FOLDER, { uid_validity: UID_VALIDITY, last_uid, sync_token })
  let pageToken = ''
  for (let page = 0; page < MAX_PAGES; page++) {
    const query = { startHistoryId: from, ...(pageToken && { pageToken }) }
    const {
      history = [],
      nextPageToken,
      historyId,
    } = await askFor(ask, History, {
      path: '/history?historyTypes=messageAdded&historyTypes=labelAdded',
      query,
    })
    for (const { id, messagesAdded = [], labelsAdded = [] } of history) {
      if (progress.read >= reading.limit || progress.looked >= MOST_HEADS)
        return { read: progress.read, more: true }
      // A draft that is sent later existed before, under other labels.
      const left = labelsAdded.filter(({ labelIds }) => labelIds?.includes('SENT'))
      for (const { message } of [...messagesAdded, ...left])
        if (isRead(message.labelIds, reading))
          last_uid = Math.max(last_uid, (await take(ask, reading, progress, message.id)) ?? last_uid)
      await advance(id)
    }
    if (!nextPageToken) {
      await advance(historyId)
      return { read: progress.read, more: false }
    }
    pageToken = nextPageToken
  }
  return { read: progress.read, more: true }
}

const isRead = (labels: readonly string[] = [], { sent }: InboxReading) =>
  !labels.some((label) => NOT_READ.includes(label) || (!sent && label === 'SENT'))

/** When the mail arrived or was sent; null if it was deleted meanwhile. */
async function take(ask: Ask, reading: InboxReading, progress: Progress, id: string): Promise<number | null> {
  const path = `/messages/${encodeURIComponent(id)}`
  try {
    const known = await askFor(ask, Minimal, { path, query: { format: 'minimal' } })
    const received = Number(known.internalDate)
    const is_sent = known.labelIds?.includes('SENT') ?? false
    if (!isRead(known.labelIds, reading)) return received
    if (is_sent && !(await isPicked(ask, reading, progress, { id, at: new Date(received) }))) return received
    const raw = await readRaw(ask, path, MAX_RAW)
    const size_bytes = Math.max(known.sizeEstimate ?? 0, raw.length)
    const mail = { folder: GMAIL_FOLDER, uid_validity: UID_VALIDITY, uid: toUid(id), raw, size_bytes }
    const labels = known.labelIds ?? []
    await reading.keep([{ ...mail, received_at: new Date(received), labels, ...(is_sent && { is_sent }) }])
    progress.read += 1
    return received
  } catch (error) {
    if (isGone(error)) return null
    throw error
  }
}

/** Of sent mail, only the head is read at first. */
async function isPicked(
  ask: Ask,
  { sent }: InboxReading,
  progress: Progress,
  { id, at }: { id: string; at: Date },
): Promise<boolean> {
  if (!sent || at < sent.since) return false
  progress.looked += 1
  const [picked = false] = await sent.pick([{ head: await readSentHead(ask, id), at }])
  return picked
}

/** By Gmail's own id if that message has the Message-ID; both were stored when the mail was read. */
async function fetchWhole(ask: Ask, { uid, message_id, max_bytes }: MailMark): Promise<WholeMail> {
  if (!message_id) return mailGone()
  const query = { q: `rfc822msgid:${message_id.replace(/^<|>$/g, '')}`, includeSpamTrash: 'true' }
  const { messages = [] } = await askFor(ask, Page, { path: '/messages', query })
  const message = messages.find(({ id }) => toUid(id) === uid) ?? messages[0]
  if (!message) return mailGone()
  const path = `/messages/${encodeURIComponent(message.id)}`
  const { sizeEstimate = 0 } = await askFor(ask, Minimal, { path, query: { format: 'minimal' } })
  if (sizeEstimate > max_bytes) return mailTooLarge()
  const raw = await readRaw(ask, path, max_bytes + 1)
  return raw.length > max_bytes ? mailTooLarge() : { ok: true, raw }
}

/** The answer may break off in the middle of a large mail, of which the beginning is enough. */
async function readRaw(ask: Ask, path: string, most: number): Promise<Uint8Array> {
  const query = { format: 'raw', fields: 'raw' }
  const answer = await ask({ path, query, max_bytes: Math.ceil(most * 1.4) })
  const json = answer.bytes.toString('latin1')
  const name = json.indexOf('"raw"')
  if (name === -1) throw otherForm(answer.status)
  return sliceRaw(json, name).subarray(0, most)
}

function sliceRaw(json: string, name: number): Uint8Array {
  const begin = json.indexOf('"', json.indexOf(':', name)) + 1
  const end = json.indexOf('"', begin)
  const encoded = json.slice(begin, end === -1 ? undefined : end)
  return new Uint8Array(Buffer.from(encoded, 'base64url'))
}

/** By our own header, which stays, among the few messages sent to this person since. */
async function findSent(ask: Ask, { message_id, to, since }: SentMark) {
  const q = `in:sent to:${to} after:${Math.floor(since.getTime() / 1_000) - 60}`
  const listed = await askFor(ask, Page, { path: '/messages', query: { q, maxResults: 50 } })
  for (const { id } of listed.messages ?? []) {
    const headers = await readHeaders(ask, id)
    if (headers && (headers.message_ref === message_id || headers.message_id === message_id))
      return { message_id: headers.message_id }
  }
  return null
}
