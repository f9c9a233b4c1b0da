import { ImapFlow, type ListResponse } from 'imapflow'
import { type ImapProviderOptions, leave, MAX_SOURCE, open, said } from '#lib/providers/inbox/imap-connection'
import type { InboxProvider } from '#lib/providers/inbox/port'
import { KeepFailed, ours, readFolder } from '#lib/providers/inbox/read-folder'
import { fileCopies, isInSent } from '#lib/providers/inbox/sent-folder'
import { findWhole } from '#lib/providers/inbox/whole-mail'

/**
 * Reads INBOX, and the folders for spam, since answers land there too. One connection for one
 * reading, opened read-only: no mail is marked as seen. One mail at a time, in order, so that a connection that breaks
 * loses nothing and repeats nothing.
 */
export function createImapProvider(options: ImapProviderOptions): InboxProvider {
  return {
    async read(connection, reading) {
      const opened = await open(connection, options)
      if (!(opened instanceof ImapFlow)) return { ok: false, ...opened, read: 0 }
      const progress = { read: 0, more: false }
      const { max_source_bytes = MAX_SOURCE } = options
      try {
        const listed = await opened.list()
        for (const folder of readFolders(listed))
          await readFolder(opened, reading, progress, { folder, max_source_bytes })
        if (reading.copies)
          await ours(fileCopies(opened, listed, reading.copies, (error) => said(error, connection)))
        return { ok: true, ...progress }
      } catch (error) {
        if (error instanceof KeepFailed) throw error.cause
        return { ok: false, reason: 'lost', error: said(error, connection), read: progress.read }
      } finally {
        await leave(opened)
      }
    },
    async findSent(connection, { message_id, since }) {
      const opened = await open(connection, options)
      if (!(opened instanceof ImapFlow)) return { ok: false, ...opened }
      try {
        const there = await isInSent(opened, message_id, since)
        return { ok: true, found: there ? { message_id } : null }
      } catch (error) {
        return { ok: false, reason: 'lost', error: said(error, connection) }
      } finally {
        await leave(opened)
      }
    },
    async fetchWhole(connection, mark) {
      const opened = await open(connection, { ...options, max_source_bytes: mark.max_bytes })
      if (!(opened instanceof ImapFlow)) return { ok: false, ...opened }
      try {
        return await findWhole(opened, mark)
      } catch (error) {
        return { ok: false, reason: 'lost', error: said(error, connection) }
      } finally {
        await leave(opened)
      }
    },
  }
}

/** What spam is put into besides the folder that is marked, or known, as the one for it: GMX, older servers, filters of people. */
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
