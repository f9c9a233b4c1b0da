import { z } from 'zod'
import {
  type InboxCursor,
  type InboxProvider,
  type InboxReading,
  type MailMark,
  mailGone,
  mailTooLarge,
  type SentMark,
  type WholeMail,
} from '#lib/providers/inbox/port'
import { type AskGraph, type GraphMailbox, graphAsker, REF_PROPERTY } from '#lib/providers/mail-api/graph/ask'
import { graphFault } from '#lib/providers/mail-api/graph/faults'
import { readSentHead } from '#lib/providers/mail-api/graph/sent-head'
import type { ApiAnswer, ApiCall, MailApiOptions } from '#lib/providers/mail-api/http'
import { askFor, isDone, isGone, Refused, refusedReading } from '#lib/providers/mail-api/outcome'
import { toUid } from '#lib/providers/mail-api/uid'

const UID_VALIDITY = 1n
/** Only the beginning of a larger mail is kept, with one byte more that shows that it was longer; attachments are not stored anyway. */
const MAX_RAW = 1024 * 1024 + 1
const PAGE = 25
const MAX_PAGES = 200
/** The most sent mails looked at in one reading. */
const MOST_HEADS = 500
/** Answers land in spam too. */
const FOLDERS = { inbox: 'Graph inbox', junkemail: 'Graph junk', sentitems: 'Graph sent' } as const
type Folder = keyof typeof FOLDERS

const Item = z.object({
  id: z.string(),
  receivedDateTime: z.string().optional(),
  '@removed': z.unknown().optional(),
})
const Page = z.object({
  value: z.array(Item),
  '@odata.nextLink': z.string().optional(),
  '@odata.deltaLink': z.string().optional(),
})
const Named = z.object({ value: z.array(z.object({ id: z.string() })) })
const Found = z.object({ value: z.array(z.object({ internetMessageId: z.string().nullish() })) })

type Ask = (call: ApiCall) => Promise<Extract<ApiAnswer, { status: number }>>

/**
 * Reads the mail that Exchange received and the mail that was sent, by the changes of a folder since the last reading. If
 * Exchange has dropped that state, lists all mail since the last one, once.
 */
export function createGraphInbox(options: MailApiOptions): InboxProvider {
  const asker = (mailbox: GraphMailbox): Ask => {
    const asked: AskGraph = graphAsker(options, mailbox)
    return async (call) => {
      const answer = await asked(call)
      if (!isDone(answer)) throw new Refused(graphFault(answer, mailbox.access_token ?? ''))
      return answer
    }
  }
  return {
    async read(mailbox, reading) {
      const progress = { read: 0, looked: 0, more: false }
      try {
        const ask = asker(mailbox)
        for (const folder of ['inbox', 'junkemail'] as const) await readFolder(ask, folder, reading, progress)
        if (reading.sent) await readFolder(ask, 'sentitems', reading, progress)
        const { read, more } = progress
        return { ok: true, read, more, looked: reading.sent !== undefined }
      } catch (error) {
        return { ...refusedReading(error), read: progress.read }
      }
    },
    async findSent(mailbox, mark) {
      try {
        return { ok: true, found: await findSent(asker(mailbox), mark) }
      } catch (error) {
        return refusedReading(error)
      }
    },
    async fetchWhole(mailbox, mark) {
      try {
        return await fetchWhole(asker(mailbox), mark)
      } catch (error) {
        const refused = refusedReading(error)
        return isGone(error) ? mailGone() : refused
      }
    },
  }
}

type Progress = { read: number; looked: number; more: boolean }

async function readFolder(ask: Ask, folder: Folder, reading: InboxReading, progress: Progress) {
  const cursor = reading.findCursor(FOLDERS[folder])
  try {
    await readChanges(ask, folder, reading, progress, cursor)
  } catch (error) {
    if (!cursor?.sync_token || !(error instanceof Refused) || error.fault.kind !== 'gone') throw error
    await readChanges(ask, folder, reading, progress, { ...cursor, sync_token: null })
  }
}

async function readChanges(
  ask: Ask,
  folder: Folder,
  reading: InboxReading,
  progress: Progress,
  cursor: InboxCursor | null,
) {
  const { since } = (folder === 'sentitems' && reading.sent) || reading
  let last_uid = cursor?.last_uid ?? since.getTime()
  let call: ApiCall = cursor?.sync_token ? { path: cursor.sync_token } : begin(folder, last_uid)
  for (let page = 0; page < MAX_PAGES; page++) {
    // A page is taken as a whole: the API gives a continuation only at its end.
    if (progress.read > 0 && progress.read + PAGE > reading.limit) break
    if (progress.looked >= MOST_HEADS) break
    const answer = await askFor(ask, Page, {
      ...call,
      headers: { prefer: `IdType="ImmutableId", odata.maxpagesize=${PAGE}` },
    })
    for (const item of answer.value) {
      if (item['@removed']) continue
      const received = Date.parse(item.receivedDateTime ?? '')
      await take(ask, reading, progress, { folder, id: item.id, received })
      if (received > last_uid) last_uid = received
    }
    const next = answer['@odata.nextLink']
    const sync_token = next ?? answer['@odata.deltaLink'] ?? null
    await reading.advance(FOLDERS[folder], { uid_validity: UID_VALIDITY, last_uid, sync_token })
    if (!next) return
    call = { path: next }
  }
  progress.more = true
}

const begin = (folder: Folder, since: number): ApiCall => ({
  path: `/mailFolders/${folder}/messages/delta`,
  query: {
    changeType: 'created',
    $select: 'receivedDateTime',
    $filter: `receivedDateTime ge ${new Date(since).toISOString().slice(0, 19)}Z`,
  },
})

type Place = { folder: Folder; id: string; received: number }

async function take(ask: Ask, reading: InboxReading, progress: Progress, place: Place) {
  const { folder, id, received } = place
  const received_at = Number.isNaN(received) ? new Date() : new Date(received)
  const sent = folder === 'sentitems' ? await pickSent(ask, reading, progress, { id, at: received_at }) : null
  if (folder === 'sentitems' && !sent) return
  const path = `/messages/${encodeURIComponent(id)}/$value`
  const answer = await ask({ path, headers: { accept: '*/*' }, max_bytes: MAX_RAW }).catch(nullWhereGone)
  if (!answer) return
  // Exchange leaves Bcc recipients out of the raw mail.
  const raw = new Uint8Array(Buffer.concat([sent?.bcc ?? Buffer.alloc(0), answer.bytes]))
  const mail = { folder: FOLDERS[folder], uid_validity: UID_VALIDITY, uid: toUid(id), raw, received_at }
  const labels = folder === 'junkemail' ? ['SPAM'] : ['INBOX']
  await reading.keep([{ ...mail, labels, size_bytes: raw.length, ...(sent && { is_sent: true }) }])
  progress.read += 1
}

/** The message was deleted meanwhile. */
const nullWhereGone = (error: unknown) => {
  if (isGone(error)) return null
  throw error
}

/** Of sent mail only the head is read at first; null if the rest is not wanted. */
async function pickSent(
  ask: Ask,
  { sent }: InboxReading,
  progress: Progress,
  { id, at }: { id: string; at: Date },
) {
  if (!sent || at < sent.since) return null
  progress.looked += 1
  const known = await readSentHead(ask, id).catch(nullWhereGone)
  const [picked = false] = known ? await sent.pick([{ head: known.head, at }]) : []
  return picked ? known : null
}

/** By our property, otherwise by the Message-ID, if Exchange kept it. */
async function findSent(ask: Ask, { message_id }: SentMark) {
  const quoted = message_id.replaceAll("'", "''")
  const filters = [
    `singleValueExtendedProperties/Any(ep: ep/id eq '${REF_PROPERTY}' and ep/value eq '${quoted}') and isDraft eq false`,
    `internetMessageId eq '${quoted}' and isDraft eq false`,
  ]
  for (const $filter of filters) {
    const query = { $filter, $select: 'internetMessageId', $top: 1 }
    const { value } = await askFor(ask, Found, { path: '/messages', query })
    if (value[0]) return { message_id: value[0].internetMessageId ?? null }
  }
  return null
}

/** By its earlier id, if that message still has the Message-ID. */
async function fetchWhole(ask: Ask, { uid, message_id, max_bytes }: MailMark): Promise<WholeMail> {
  if (!message_id) return mailGone()
  const $filter = `internetMessageId eq '${message_id.replaceAll("'", "''")}'`
  const { value } = await askFor(ask, Named, {
    path: '/messages',
    query: { $filter, $select: 'id', $top: 10 },
  })
  const message = value.find(({ id }) => toUid(id) === uid) ?? value[0]
  if (!message) return mailGone()
  const path = `/messages/${encodeURIComponent(message.id)}/$value`
  const { bytes } = await ask({ path, headers: { accept: '*/*' }, max_bytes: max_bytes + 1 })
  return bytes.length > max_bytes ? mailTooLarge() : { ok: true, raw: new Uint8Array(bytes) }
}
