import {
  connected,
  type ImapProviderOptions,
  type ImapTimeouts,
  said,
  type Unopened,
} from '#lib/providers/inbox/imap-connection'
import type { InboxConnection } from '#lib/providers/inbox/port'

/** Whether somebody can sign in there and read. */
export type InboxCheck = (connection: InboxConnection) => Promise<{ ok: true } | Unopened>

/** Somebody waits for the answer: a server that is slower than this counts as out of reach. */
const CHECK: ImapTimeouts = { connect: 10_000, greeting: 10_000, reply: 15_000, whole: 30_000 }

/** Connects, signs in and opens the inbox, and reads nothing of it. */
export const createImapCheck =
  (options: ImapProviderOptions): InboxCheck =>
  (connection) =>
    connected<{ ok: true } | Unopened>(
      connection,
      { ...options, timeouts: { ...CHECK, ...options.timeouts } },
      async (client) => {
        await client.mailboxOpen('INBOX', { readOnly: true })
        return { ok: true }
      },
      (error) => ({ ok: false, reason: 'lost', error: said(error, connection) }),
    )
