import { createHash } from 'node:crypto'
import type { Pool } from 'pg'
import { withEachKey } from '#lib/db/seal'
import { readBounceAddress } from '#lib/domain/tokens/bounce-token'
import type { InboundMailbox } from '#lib/services/inbox/arrived-mail'
import { handleInbound } from '#lib/services/inbox/handle-mail'

export type BounceTarget = { action_id: string; mailbox: InboundMailbox }

/** The message a bounce address belongs to; null if we did not sign the address, or the message no longer exists. */
export async function bounceTarget(pool: Pool, address: string): Promise<BounceTarget | null> {
  const read = withEachKey('bounce', (key) => readBounceAddress(address, key))
  if (!read) return null
  const { rows } = await pool.query<InboundMailbox>(
    `SELECT m.mailbox_id, m.workspace_id, m.address, m.aliases FROM actions a JOIN mailboxes m ON m.mailbox_id = a.mailbox_id
     WHERE a.action_id = $1`,
    [read.action_id],
  )
  return rows[0] ? { action_id: read.action_id, mailbox: rows[0] } : null
}

/** Handles a mail like one from a mailbox, with the message known from the address. Safe to repeat. */
export async function takeBounce(pool: Pool, { action_id, mailbox }: BounceTarget, raw: Buffer, now: Date) {
  const uid = createHash('sha256').update(action_id).update(raw).digest().readUIntBE(0, 6)
  return handleInbound(
    pool,
    mailbox,
    {
      folder: 'bounce address',
      uid_validity: 0n,
      uid,
      raw,
      size_bytes: raw.length,
      received_at: now,
      bounced_action_id: action_id,
    },
    now,
  )
}
