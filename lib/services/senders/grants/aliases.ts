import type { Pool } from 'pg'
import { areAliasesDue, listAddresses, lostAddress, readAliases } from '#lib/domain/messages/own-addresses'
import type { MailApi } from '#lib/providers/mail/port'
import type { AliasReader } from '#lib/providers/mail-api/aliases'
import { createGmailAliases } from '#lib/providers/mail-api/gmail/aliases'
import { createGraphAliases } from '#lib/providers/mail-api/graph/aliases'
import type { MailRoute, MailVendor } from '#lib/providers/mail-oauth/port'
import { accessToken, type Vendors } from '#lib/services/senders/grants/access-token'
import { mailApiOptions } from '#lib/services/senders/grants/vendors'
import { noteOutage } from '#lib/services/senders/sender-failures'

export type AliasReaders = Partial<Record<MailApi, AliasReader>>

/** The provider APIs that list the addresses of a mailbox. */
export const aliasReaders = (): AliasReaders => ({
  gmail: createGmailAliases(mailApiOptions('gmail')),
  graph: createGraphAliases(mailApiOptions('graph')),
})

type Options = { pool: Pool; now: Date; vendors?: Vendors | undefined; aliases?: AliasReaders | undefined }
type Mailbox = {
  mailbox_id: string
  workspace_id: string
  address: string
  aliases_read_at: Date | null
  send_as: string | null
}
type Grant = { vendor: MailVendor; route: MailRoute }

/** The API that a token works for: Google's by either route, Microsoft's only by the API route. */
const toApi = ({ vendor, route }: Grant): MailApi | null => {
  if (vendor === 'google') return 'gmail'
  return vendor === 'microsoft' && route === 'api' ? 'graph' : null
}

/**
 * Stores the addresses of a mailbox as its provider lists them, if it does. If the address it sends as is no longer among them, this is
 * reported at once: nothing is sent from then on, see `sendFrom`.
 */
export async function keepAliases(
  { pool, now, vendors, aliases: readers = {} }: Options,
  mailbox: Mailbox,
  { isAsked = false } = {},
): Promise<void> {
  const { mailbox_id, workspace_id, address, aliases_read_at, send_as } = mailbox
  if (!isAsked && !areAliasesDue({ read_at: aliases_read_at, send_as }, now)) return
  const { rows } = await pool.query<Grant>(
    'SELECT vendor, route FROM mailbox_grants WHERE workspace_id = $1 AND mailbox_id = $2',
    [workspace_id, mailbox_id],
  )
  const api = rows[0] && toApi(rows[0])
  const read = api && readers[api]
  if (!read) return
  const token = await accessToken(mailbox_id, { pool, now, vendors })
  if (!token.ok) return
  const named = await read(token)
  if (!named.ok && named.passes) return rest(pool, mailbox_id, now)
  await keepNamed(pool, mailbox_id, {
    now,
    aliases: named.ok ? readAliases(address, named.aliases) : null,
    error: named.ok ? null : named.error.slice(0, 1_000),
  })
}

/** Postpones the next read of known addresses; addresses that were never read are due at the next reading. */
async function rest(pool: Pool, mailboxId: string, now: Date): Promise<void> {
  await pool.query(
    'UPDATE mailboxes SET aliases_read_at = $2 WHERE mailbox_id = $1 AND aliases_read_at IS NOT NULL',
    [mailboxId, now],
  )
}

type Named = { now: Date; aliases: string[] | null; error: string | null }
type Kept = { address: string; aliases: string[]; send_as: string | null; status: string }

async function keepNamed(pool: Pool, mailboxId: string, { now, aliases, error }: Named): Promise<void> {
  const { rows } = await pool.query<Kept>(
    `UPDATE mailboxes SET aliases = coalesce($2::text[], aliases), aliases_read_at = $3, aliases_error = $4
     WHERE mailbox_id = $1 RETURNING address, aliases, send_as, status::text`,
    [mailboxId, aliases, now, error],
  )
  const [row] = rows
  if (!row?.send_as || listAddresses(row).includes(row.send_as) || row.status === 'failing') return
  await noteOutage(pool, mailboxId, { cause: 'refused', said: lostAddress(row.send_as) }, now)
}
