import type { ClientBase } from 'pg'
import { seal, sealedPrefix, unseal } from '#lib/db/seal'

type Sealed = { table: string; id: string; column: string; for_row?: true }

/** Every column whose texts lib/db/seal.ts made, and whether for its row alone. A test looks for those that are missing here. */
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
 * Seals anew, under the current key, whatever another one has sealed. Each batch stands for itself, so that an end in the
 * middle costs nothing: the next run goes on with what is left. While the app runs nothing is lost either, since a secret
 * that its owner changes meanwhile stays as they set it. What no key opens is left alone and told.
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
    const anew = rows.flatMap((row) => {
      try {
        const of = for_row ? row.id : undefined
        return [{ ...row, fresh: seal(unseal(row.sealed, of), of) }]
      } catch {
        rotated.unopened.push({ table, column, id: row.id })
        return []
      }
    })
    const { rowCount } = await client.query(
      `UPDATE ${table} t SET ${column} = n.fresh
       FROM unnest($1::text[], $2::text[], $3::text[]) n (id, sealed, fresh)
       WHERE t.${id}::text = n.id AND t.${column} = n.sealed`,
      [anew.map((row) => row.id), anew.map((row) => row.sealed), anew.map((row) => row.fresh)],
    )
    rotated.resealed += rowCount ?? 0
    if (rows.length < BATCH) return
    after = rows.at(-1)?.id ?? ''
  }
}
