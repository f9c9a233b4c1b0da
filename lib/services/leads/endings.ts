import type { Pool, PoolClient } from 'pg'
import { inTransaction } from '#lib/db/transaction'
import { lockCampaigns } from '#lib/services/campaigns/locks'
import { settleCampaigns } from '#lib/services/campaigns/state'
import { suppressLeads } from '#lib/services/leads/state/endings'

/** Leads that wait although their address was suppressed meanwhile. Their campaign must be locked. */
export async function endSuppressedLeads(client: PoolClient, leadIds: string[], now: Date): Promise<void> {
  const listed = { status: 'unsubscribed', reason: 'suppressed' } as const
  await suppressLeads(client, listed, { sql: 'l.campaign_lead_id = ANY ($3)', values: [leadIds] }, now)
}

type Entry = {
  workspace_id: string
  values: readonly string[]
  reason: string
  status: 'unsubscribed' | 'bounced'
}

/** SQL of leads `l` that an entry names: its owner, and its values. */
const named = (
  owner: string,
  values: string,
) => `l.workspace_id = ${owner} AND l.status IN ('pending', 'active')
  AND (l.email = ANY (${values}) OR '@' || split_part(l.email, '@', 2) = ANY (${values}))`

/** The campaigns in which somebody of these addresses (or "@domain") still waits: what a suppression will lock. */
export async function campaignsWithLeads(
  client: PoolClient,
  workspaceId: string,
  values: string[],
): Promise<string[]> {
  const { rows } = await client.query<{ campaign_id: string }>(
    `SELECT DISTINCT campaign_id FROM campaign_leads l WHERE ${named('$1', '$2')}`,
    [workspaceId, values],
  )
  return rows.map((row) => row.campaign_id)
}

/** Only the entries of the list: claims look there themselves, so no lock of campaigns is needed. Answers how many are new. */
export async function listSuppressed(
  client: PoolClient,
  entries: { workspace_id: string; value: string }[],
  reason: string,
  now: Date,
): Promise<number> {
  if (entries.length === 0) return 0
  // In one order, so that two transactions that list the same addresses cannot wait for each other.
  const { rowCount } = await client.query(
    `INSERT INTO suppressions (workspace_id, value, reason, created_at)
     SELECT DISTINCT e.workspace_id, e.value, $3, $4::timestamptz FROM unnest($1::uuid[], $2::text[]) e (workspace_id, value)
     ORDER BY 1, 2 ON CONFLICT (workspace_id, value) DO NOTHING`,
    [entries.map((entry) => entry.workspace_id), entries.map((entry) => entry.value), reason, now],
  )
  return rowCount ?? 0
}

/**
 * Puts addresses (or "@domain") on the owner's list and ends every lead of theirs that still waits, in all campaigns,
 * in one transaction: whoever claims afterwards finds them ended.
 */
export async function suppress(
  pool: Pool,
  entry: Entry,
  now: Date,
): Promise<{ added: number; ended: number }> {
  return inTransaction(pool, (client) => suppressWithin(client, entry, now))
}

/** The same inside a transaction, which must hold no lock of a lead or a mailbox yet, unless `campaignsWithLeads` are locked. */
export async function suppressWithin(
  client: PoolClient,
  entry: Entry,
  now: Date,
): Promise<{ added: number; ended: number }> {
  const values = entry.values.map((value) => value.toLowerCase())
  const campaigns = await campaignsWithLeads(client, entry.workspace_id, values)
  await lockCampaigns(client, campaigns)
  const added = await listSuppressed(
    client,
    values.map((value) => ({ workspace_id: entry.workspace_id, value })),
    entry.reason,
    now,
  )
  const whom = { sql: named('$3', '$4'), values: [entry.workspace_id, values] }
  const ended = await suppressLeads(client, entry, whom, now)
  await settleCampaigns(client, campaigns, now)
  return { added, ended }
}
