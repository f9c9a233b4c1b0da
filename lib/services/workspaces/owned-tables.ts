import type { Pool, PoolClient } from 'pg'

/** Tables without an owner's id of their own, and whose rows they are. `$1` is the owner. */
export const OWNED_THROUGH: Record<string, string> = {
  mailbox_folders: 'mailbox_id IN (SELECT mailbox_id FROM mailboxes WHERE user_id = $1)',
  domain_keys: 'domain_id IN (SELECT domain_id FROM mail_domains WHERE user_id = $1)',
  sender_days: `sender_id IN (SELECT mailbox_id FROM mailboxes WHERE user_id = $1
    UNION ALL SELECT account_id FROM connected_accounts WHERE user_id = $1)`,
  campaign_days: 'campaign_id IN (SELECT campaign_id FROM campaigns WHERE user_id = $1)',
  launch_forecasts: 'campaign_id IN (SELECT campaign_id FROM campaigns WHERE user_id = $1)',
  // Where nobody else is left.
  workspaces: `workspace_id IN (SELECT workspace_id FROM members GROUP BY workspace_id
    HAVING count(*) = 1 AND bool_and(user_id = $1))`,
  seats: 'holder = $1::text',
  // "class:credential" and "sign-in:address" with or without a place.
  rate_limits: `split_part(bucket, ':', 2) IN (SELECT user_id::text FROM users WHERE user_id = $1
    UNION ALL SELECT email FROM users WHERE user_id = $1
    UNION ALL SELECT id::text FROM api_keys WHERE user_id = $1)`,
}

export type OwnedTable = { name: string; where: string }

/** Every table that holds anything of an owner, also those of migrations to come, the owner's own row first. */
export async function ownedTables(client: Pool | PoolClient): Promise<OwnedTable[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.table_name AS name FROM information_schema.columns c JOIN information_schema.tables t
       USING (table_schema, table_name)
     WHERE c.table_schema = 'public' AND c.column_name = 'user_id' AND t.table_type = 'BASE TABLE'
     ORDER BY c.table_name <> 'users', c.table_name`,
  )
  return [
    ...rows.map(({ name }) => ({ name, where: 'user_id = $1' })),
    ...Object.entries(OWNED_THROUGH).map(([name, where]) => ({ name, where })),
  ]
}
