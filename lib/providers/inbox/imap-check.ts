import {
  connected,
  type ImapProviderOptions,
  type ImapTimeouts,
  said,
  type Unopened,
} from '#lib/providers/inbox/imap-connection'
import type { InboxConnection } from '#lib/providers/inbox/port'

/** Whether these credentials can sign in and read. */
export type InboxCheck = (connection: InboxConnection) => Promise<{ ok: true } | Unopened>

/** A person waits for the answer: a server slower than this counts as unreachable. */
const CHECK: ImapTimeouts = { connect: 10_000, greeting: 10_000, reply: 15_000, whole: 30_000 }

/** Connects, signs in and opens the inbox; reads no mail. */
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
