import type { ImapFlow, ListResponse } from 'imapflow'
import { connected, type ImapProviderOptions, MAX_SOURCE, said } from '#lib/providers/inbox/imap-connection'
import type {
  InboxConnection,
  InboxFailure,
  InboxProvider,
  SentSearch,
  WholeMail,
} from '#lib/providers/inbox/port'
import { KeepFailed, ours, readFolder, wayOfArrivals } from '#lib/providers/inbox/read-folder'
import { readSent } from '#lib/providers/inbox/read-sent'
import { fileCopies, isInSent } from '#lib/providers/inbox/sent-folder'
import { findWhole } from '#lib/providers/inbox/whole-mail'

type Outcome = { ok: true; looked: boolean } | { ok: false; reason: InboxFailure; error: string }

/**
 * Reads INBOX, then the spam folders, since answers land there too, and then sent mail. Uses one connection per reading, opened
 * read-only, so that no mail is marked as seen. Mails are taken a few at a time and in order, so that a broken connection loses
 * nothing and repeats nothing.
 */
export function createImapProvider(options: ImapProviderOptions): InboxProvider {
  const { max_source_bytes = MAX_SOURCE } = options
  const lost = (connection: InboxConnection) => (error: unknown) => {
    if (error instanceof KeepFailed) throw error.cause
    return { ok: false as const, reason: 'lost' as const, error: said(error, connection) }
  }
  return {
    async read(connection, reading) {
      const progress = { read: 0, more: false }
      const read = async (client: ImapFlow) => {
        const listed = await client.list()
        const folders = readFolders(listed)
        for (const folder of folders) {
          const way = wayOfArrivals(client, reading, progress, { folder, max_source_bytes })
          await readFolder(client, reading, progress, way)
        }
        const of = { read: folders, max_source_bytes }
        const looked = await readSent(client, listed, reading, progress, of)
        if (reading.copies)
          await ours(fileCopies(client, listed, reading.copies, (error) => said(error, connection)))
        return { ok: true as const, looked }
      }
      const outcome = await connected<Outcome>(connection, options, read, lost(connection))
      return outcome.ok ? { ...outcome, ...progress } : { ...outcome, read: progress.read }
    },
    findSent: (connection, { message_id, since }) =>
      connected<SentSearch>(
        connection,
        options,
        async (client) => {
          const there = await isInSent(client, message_id, since)
          return { ok: true, found: there ? { message_id } : null }
        },
        lost(connection),
      ),
    fetchWhole: (connection, mark) =>
      connected<WholeMail>(
        connection,
        { ...options, max_source_bytes: mark.max_bytes },
        (client) => findWhole(client, mark),
        lost(connection),
      ),
  }
}

/** Further names of spam folders besides the one that is marked as such or known: GMX, older servers, users' filters. */
const SPAM_NAMES = new Set(['bulk', 'bulk mail', 'junk', 'junk e-mail', 'junk email', 'spam', 'spamverdacht'])
const MOST_SPAM_FOLDERS = 3

function readFolders(listed: ListResponse[]): string[] {
  const spam = listed.filter(
    ({ specialUse, flags, name }) =>
      !flags.has('\\Noselect') &&
      (specialUse === '\\Junk' || flags.has('\\Junk') || (!specialUse && SPAM_NAMES.has(name.toLowerCase()))),
  )
  return ['INBOX', ...spam.slice(0, MOST_SPAM_FOLDERS).map(({ path }) => path)]
}
