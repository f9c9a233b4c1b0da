import type { ClientBase } from 'pg'
import { seal, sealedPrefix, unsealOrNull } from '#lib/db/seal'

type Sealed = { table: string; id: string; column: string; for_row?: true }

/** Every column with texts sealed by lib/db/seal.ts, and whether they are bound to their row. A test looks for missing columns. */
export const SEALED_COLUMNS: readonly Sealed[] = [
  { table: 'mailboxes', id: 'mailbox_id', column: 'smtp_password' },
  { table: 'mailboxes', id: 'mailbox_id', column: 'imap_password' },
  { table: 'mailbox_grants', id: 'mailbox_id', column: 'refresh_token', for_row: true },
  { table: 'mailbox_grants', id: 'mailbox_id', column: 'access_token', for_row: true },
  { table: 'mail_organizations', id: 'organization_id', column: 'secret', for_row: true },
  { table: 'sheet_accounts', id: 'sheet_account_id', column: 'refresh_token', for_row: true },
  { table: 'sheet_accounts', id: 'sheet_account_id', column: 'access_token', for_row: true },
  { table: 'postmaster_accounts', id: 'workspace_id', column: 'refresh_token', for_row: true },
  { table: 'snds_accounts', id: 'workspace_id', column: 'key', for_row: true },
  { table: 'domain_keys', id: 'key_id', column: 'private_key' },
  { table: 'webhooks', id: 'webhook_id', column: 'secret' },
  { table: 'webhooks', id: 'webhook_id', column: 'previous_secret' },
  { table: 'forms', id: 'form_id', column: 'signing_secret' },
  { table: 'authenticator_apps', id: 'user_id', column: 'secret' },
  { table: 'signing_keys', id: 'kid', column: 'private_jwk' },
]

export type Rotated = { resealed: number; unopened: { table: string; column: string; id: string }[] }

const BATCH = 200

/**
 * Seals again, under the current key, everything that an older key sealed. Secrets are handled one by one, so an interrupted run loses
 * nothing and the next one continues. It is safe while the app runs: a secret that its owner changes meanwhile stays as they set it. What
 * no key opens is left alone and reported.
 */
export async function rotateKey(client: ClientBase): Promise<Rotated> {
  const rotated: Rotated = { resealed: 0, unopened: [] }
  for (const place of SEALED_COLUMNS) await rotateColumn(client, place, rotated)
  return rotated
}

async function rotateColumn(
  client: ClientBase,
  { table, id, column, for_row }: Sealed,
  rotated: Rotated,
): Promise<void> {
  for (let after = ''; ; ) {
    const { rows } = await client.query<{ id: string; sealed: string }>(
      `SELECT ${id}::text AS id, ${column} AS sealed FROM ${table}
       WHERE ${column} IS NOT NULL AND NOT starts_with(${column}, $1) AND ${id}::text > $2
       ORDER BY ${id}::text LIMIT ${BATCH}`,
      [sealedPrefix(), after],
    )
    for (const row of rows) {
      const fresh = resealed(row, for_row)
      if (fresh === null) rotated.unopened.push({ table, column, id: row.id })
      else {
        // One row per statement, so that only one row is locked at a time: concurrent sends lock several mailboxes, which could deadlock
        // otherwise.
        const { rowCount } = await client.query(
          `UPDATE ${table} SET ${column} = $3 WHERE ${id}::text = $1 AND ${column} = $2`,
          [row.id, row.sealed, fresh],
        )
        rotated.resealed += rowCount ?? 0
      }
    }
    if (rows.length < BATCH) return
    after = rows.at(-1)?.id ?? ''
  }
}

function resealed({ id, sealed }: { id: string; sealed: string }, for_row: true | undefined): string | null {
  const row = for_row ? id : undefined
  const secret = unsealOrNull(sealed, row)
  return secret === null ? null : seal(secret, row)
}
