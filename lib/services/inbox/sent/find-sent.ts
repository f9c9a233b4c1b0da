import { setTimeout as wait } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { InboxProvider } from '#lib/providers/inbox/port'
import { findSentBy, type ReadableMailbox } from '#lib/services/inbox/mailboxes/provider'
import type { Vendors } from '#lib/services/senders/grants/access-token'
import type { FindSent } from '#lib/services/senders/sent/sent-mark'

/** Delays before each look: a copy may reach the folder some time after the message was accepted. */
const DELAYS_MS = [1_000, 4_000, 10_000]

type Options = {
  pool: Pool
  imap: InboxProvider
  clock: () => Date
  vendors?: Vendors
  /** Delays before each look. */
  delays_ms?: readonly number[]
}

/** Looks for a sent message several times; a mailbox that cannot be read proves nothing. */
export function createSentFinder({ pool, imap, clock, vendors, delays_ms = DELAYS_MS }: Options): FindSent {
  return async (mailboxId, mark) => {
    const { rows } = await pool.query<ReadableMailbox>(
      `SELECT mailbox_id, imap, imap_password,
         EXISTS (SELECT 1 FROM mailbox_grants g WHERE g.mailbox_id = m.mailbox_id) AS by_oauth
       FROM mailboxes m WHERE mailbox_id = $1 AND imap IS NOT NULL`,
      [mailboxId],
    )
    for (const delay of rows[0] ? delays_ms : []) {
      await wait(delay)
      const looked = rows[0] && (await findSentBy({ pool, imap, now: clock(), vendors }, rows[0], mark))
      if (looked?.ok && looked.found) return looked.found
      if (looked && !looked.ok && looked.reason === 'auth') return null
    }
    return null
  }
}
