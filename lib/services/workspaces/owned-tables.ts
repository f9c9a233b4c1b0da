import type { Pool, PoolClient } from 'pg'

/** Tables without a `workspace_id` column, with the condition for rows of the workspaces `$1`. */
const THROUGH_WORKSPACES: Record<string, string> = {
  mailbox_folders: 'mailbox_id IN (SELECT mailbox_id FROM mailboxes WHERE workspace_id = ANY ($1::uuid[]))',
  domain_keys: 'domain_id IN (SELECT domain_id FROM mail_domains WHERE workspace_id = ANY ($1::uuid[]))',
  sender_days: `sender_id IN (SELECT mailbox_id FROM mailboxes WHERE workspace_id = ANY ($1::uuid[])
    UNION ALL SELECT account_id FROM connected_accounts WHERE workspace_id = ANY ($1::uuid[]))`,
  campaign_days: 'campaign_id IN (SELECT campaign_id FROM campaigns WHERE workspace_id = ANY ($1::uuid[]))',
  launch_forecasts:
    'campaign_id IN (SELECT campaign_id FROM campaigns WHERE workspace_id = ANY ($1::uuid[]))',
  seats: 'holder = ANY ($1::text[])',
  // In a JWT's bucket the workspace precedes the person.
  rate_limits: `split_part(split_part(bucket, ':', 2), '/', 1) = ANY ($1::uuid[]::text[])
    OR split_part(bucket, ':', 2) IN (SELECT id::text FROM api_keys WHERE workspace_id = ANY ($1::uuid[]))`,
}

const TALKS = 'conversation_id IN (SELECT conversation_id FROM conversations WHERE user_id = $1)'

/** Tables whose rows belong to a person even if they arise in a workspace, with the condition for the person `$1`. */
const OF_PERSON: Record<string, string> = {
  conversation_messages: TALKS,
  agent_approvals: TALKS,
  conversations: 'user_id = $1',
  notification_preferences: 'user_id = $1',
  notification_messages: 'user_id = $1',
  user_sessions: 'user_id = $1',
  members: 'user_id = $1',
  past_members: 'user_id = $1',
  // Buckets are named "class:credential" and "sign-in:address", with or without a place; in a JWT's bucket the workspace precedes the
  // person.
  rate_limits: `$1::text IN (split_part(bucket, ':', 2), split_part(split_part(bucket, ':', 2), '/', 2))
    OR split_part(bucket, ':', 2) IN (SELECT email FROM users WHERE user_id = $1::uuid)`,
}

export type OwnedTable = { name: string; where: string; values: unknown[] }

/** Tables whose rows are found through other rows, which must still exist then; without a person, only those of the workspaces. */
export const ownedThrough = (userId: string | null, workspaceIds: string[]): OwnedTable[] => [
  ...Object.entries(THROUGH_WORKSPACES).map(([name, where]) => ({ name, where, values: [workspaceIds] })),
  ...(userId === null ? [] : Object.entries(OF_PERSON)).map(([name, where]) => ({
    name,
    where,
    values: [userId],
  })),
]

/**
 * Every table with rows of a person or of these workspaces, including tables of future migrations, the person's first; without a person,
 * only those of the workspaces.
 */
export async function ownedTables(
  client: Pool | PoolClient,
  userId: string | null,
  workspaceIds: string[],
): Promise<OwnedTable[]> {
  const { rows } = await client.query<{ name: string; of_workspace: boolean }>(
    `SELECT c.table_name AS name, bool_or(c.column_name = 'workspace_id') AS of_workspace
     FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
     WHERE c.table_schema = 'public' AND c.column_name IN ('user_id', 'workspace_id') AND t.table_type = 'BASE TABLE'
     GROUP BY c.table_name ORDER BY c.table_name <> 'users', c.table_name`,
  )
  const own = rows
    .filter(({ name, of_workspace }) => !(name in OF_PERSON) && (of_workspace || userId !== null))
    .map(({ name, of_workspace }) =>
      of_workspace
        ? { name, where: 'workspace_id = ANY ($1::uuid[])', values: [workspaceIds] }
        : { name, where: 'user_id = $1', values: [userId] },
    )
  return [...own, ...ownedThrough(userId, workspaceIds)]
}
