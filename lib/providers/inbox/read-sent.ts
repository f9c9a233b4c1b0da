import type { FetchMessageObject, ImapFlow, ListResponse } from 'imapflow'
import { type InboxReading, SENT_FIELDS, type SentHead, type SentReading } from '#lib/providers/inbox/port'
import {
  fetchSource,
  KeepFailed,
  ours,
  type Progress,
  readFolder,
  requireUsable,
  rereadFrom,
  type Way,
} from '#lib/providers/inbox/read-folder'
import { sentFolder } from '#lib/providers/inbox/sent-folder'

/** The most heads of one reading, and of one command. */
const MOST_HEADS = 500
const HEADS = 50

type Options = { read: string[]; max_source_bytes: number }

/**
 * Looks at sent mail by its heads alone. Returns false if there is no Sent folder, or the server does not let it be read; the
 * incoming mail was read all the same.
 */
export async function readSent(
  client: ImapFlow,
  listed: ListResponse[],
  reading: InboxReading,
  progress: Progress,
  { read, max_source_bytes }: Options,
): Promise<boolean> {
  const { sent } = reading
  const folder = sent && (sent.folder ?? sentFolder(listed))
  // If the folder is also read as an incoming one, it is not read here again.
  if (!folder || read.includes(folder) || !listed.some(({ path }) => path === folder)) return false
  try {
    await readFolder(
      client,
      reading,
      progress,
      wayOfSent(client, reading, sent, folder, { progress, max_source_bytes }),
    )
    return true
  } catch (error) {
    if (error instanceof KeepFailed || !client.usable) throw error
    return false
  }
}

type Limits = { progress: Progress; max_source_bytes: number }

function wayOfSent(
  client: ImapFlow,
  reading: InboxReading,
  sent: SentReading,
  folder: string,
  { progress, max_source_bytes }: Limits,
): Way {
  return {
    folder,
    since: async (wasRead) => rereadFrom(sent.since, wasRead ? await ours(sent.findLooked(folder)) : null),
    oldest: sent.since,
    room: () => MOST_HEADS,
    async take(place, uids, reached) {
      for (let from = 0; from < uids.length; from += HEADS) {
        const asked = uids.slice(from, from + HEADS)
        const heads = (await fetchHeads(client, asked)).filter(({ at }) => at >= sent.since)
        const picked = heads.length > 0 ? await ours(sent.pick(heads)) : []
        for (const { uid } of heads.filter((_, index) => picked[index])) {
          const source = await fetchSource(client, reading, { ...place, uid }, max_source_bytes)
          if (!source) continue
          // The head says to whom it went, which is all that matters of sent mail.
          await ours(reading.keep([{ ...place, ...source, is_sent: true, is_refused: false }]))
          progress.read += 1
        }
        await reached(asked.at(-1) ?? 0)
      }
    },
  }
}

async function fetchHeads(client: ImapFlow, uids: number[]): Promise<(SentHead & { uid: number })[]> {
  const query = { uid: true, internalDate: true, headers: SENT_FIELDS }
  const mails = await client.fetchAll(uids.join(','), query, { uid: true })
  requireUsable(client)
  return mails
    .map(({ uid, headers, internalDate }) => ({
      uid,
      head: new Uint8Array(headers ?? []),
      at: leftAt(internalDate),
    }))
    .sort((a, b) => a.uid - b.uid)
}

/** If the server gives no date or an invalid one, the mail counts as sent now. */
function leftAt(internalDate: FetchMessageObject['internalDate']): Date {
  const at = new Date(internalDate ?? Number.NaN)
  return Number.isNaN(at.getTime()) ? new Date() : at
}
