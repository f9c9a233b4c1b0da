import type { Pool, PoolClient } from 'pg'
import { hidden, prepared } from '#lib/db/prepared'
import type { Statements } from '#lib/db/statements'
import { inTransaction } from '#lib/db/transaction'
import { lockCampaigns } from '#lib/services/campaigns/locks'
import { settleCampaigns } from '#lib/services/campaigns/state'
import { waitingLeadsNamed } from '#lib/services/leads/on-list'
import { suppressLeads } from '#lib/services/leads/state/endings'
import { reachOfEntry } from '#lib/services/leads/suppression-reach'

/** Ends waiting leads that were suppressed since they were enrolled. Their campaign must be locked. */
export async function endSuppressedLeads(client: PoolClient, leadIds: string[], now: Date): Promise<void> {
  const listed = { status: 'unsubscribed', reason: 'suppressed' } as const
  await suppressLeads(client, listed, { sql: 'l.campaign_lead_id = ANY ($3)', values: [leadIds] }, now)
}

type Entry = {
  workspace_id: string
  values: readonly string[]
  reason: string
  status: 'unsubscribed' | 'bounced'
  /** The person asked for this themselves; a parent workspace may share it with all of its workspaces. */
  is_wish?: boolean
}

/** The reason on a parent's list for an entry that came from one of its workspaces. */
export const sharedReason = (reason: string) => `${reason}_shared`

/** SQL: waiting leads `l` of these workspaces. */
const waitsIn = (owners: string) => `l.workspace_id = ANY (${owners}) AND l.status IN ('pending', 'active')`
/** SQL: waiting leads of these workspaces whose address is among the values, found by its index. */
const waitingAddressed = (columns: string, owners: string, values: string) =>
  `SELECT ${columns} FROM campaign_leads l WHERE ${waitsIn(owners)} AND l.email = ANY (${values})`
/**
 * SQL: the same, and those of a whole domain, for which every waiting lead is read. Asked only if a value is
 * a domain: Postgres plans the reading for two more processes and starts them even if there is nothing to read.
 */
const waitingNamed = (columns: string, owners: string, values: string) =>
  `${waitingAddressed(columns, owners, values)}
   UNION ALL
   SELECT ${columns} FROM campaign_leads l
   WHERE ${waitsIn(owners)} AND '@' || split_part(l.email, '@', 2) = ANY (${values})`
const waitingFor = (values: readonly string[]) =>
  values.some((value) => value.startsWith('@')) ? waitingNamed : waitingAddressed

/** The campaigns with waiting leads of these addresses (or "@domain"), which a suppression will lock. */
export async function campaignsWithLeads(
  client: Statements,
  workspaceId: string,
  values: string[],
  { is_wish = false } = {},
): Promise<string[]> {
  const { workspaces } = await reachOfEntry(client, workspaceId, { is_wish })
  return campaignsWithin(client, workspaces, values)
}

async function campaignsWithin(
  client: Statements,
  workspaces: string[],
  values: string[],
): Promise<string[]> {
  const [owners, named] = [`${hidden('$1::uuid[]')}::uuid[]`, `${hidden('$2::text[]')}::text[]`]
  const waiting = waitingFor(values)('l.campaign_id', owners, named)
  const { rows } = await client.query<{ campaign_id: string }>(
    prepared(`SELECT DISTINCT campaign_id FROM (${waiting}) waiting`, [workspaces, values]),
  )
  return rows.map((row) => row.campaign_id)
}

/**
 * Adds only the list entries. Claims read the list themselves, so no campaign locks are needed. Returns the
 * number of new entries.
 */
export async function listSuppressed(
  client: PoolClient,
  entries: { workspace_id: string; value: string }[],
  reason: string,
  now: Date,
): Promise<number> {
  if (entries.length === 0) return 0
  // In one order, so that two transactions that list the same addresses cannot deadlock. The workspace may
  // have been erased while this transaction waited for its campaigns; one that still exists is kept until the
  // entries are written.
  const { rowCount } = await client.query(
    prepared(
      `WITH here AS MATERIALIZED (
         SELECT workspace_id FROM workspaces WHERE workspace_id = ANY ($1) ORDER BY workspace_id FOR KEY SHARE)
       INSERT INTO suppressions (workspace_id, value, reason, created_at)
       SELECT DISTINCT e.workspace_id, e.value, $3, $4::timestamptz
       FROM unnest($1::uuid[], $2::text[]) e (workspace_id, value) JOIN here USING (workspace_id)
       ORDER BY 1, 2 ON CONFLICT (workspace_id, value) DO NOTHING`,
      [entries.map((entry) => entry.workspace_id), entries.map((entry) => entry.value), reason, now],
    ),
  )
  return rowCount ?? 0
}

/**
 * Puts addresses (or "@domain", profiles, telephone numbers) on the workspace's list and ends every waiting
 * lead they name, in all campaigns the list applies to, in one transaction. Every later claim finds the leads
 * ended.
 */
export async function suppress(
  pool: Pool,
  entry: Entry,
  now: Date,
): Promise<{ added: number; ended: number }> {
  return inTransaction(pool, (client) => suppressWithin(client, entry, now))
}

/**
 * The same inside a transaction, which must not hold any lock of a lead or a mailbox yet, unless
 * `campaignsWithLeads` are locked.
 */
export async function suppressWithin(
  client: PoolClient,
  entry: Entry,
  now: Date,
): Promise<{ added: number; ended: number }> {
  const values = entry.values.map((value) => value.toLowerCase())
  const { workspace_id, reason, is_wish = false } = entry
  const { parent, workspaces } = await reachOfEntry(client, workspace_id, { is_wish })
  const known = await waitingLeadsNamed(client, workspaces, values)
  const campaigns = [
    ...new Set([
      ...(await campaignsWithin(client, workspaces, values)),
      ...known.map(({ campaign_id }) => campaign_id),
    ]),
  ]
  await lockCampaigns(client, campaigns)
  const on = (listed_in: string) => values.map((value) => ({ workspace_id: listed_in, value }))
  const added = await listSuppressed(client, on(workspace_id), reason, now)
  if (parent) await listSuppressed(client, on(parent), sharedReason(reason), now)
  const leads = known.map(({ campaign_lead_id }) => campaign_lead_id)
  // Leads enrolled since the campaigns were looked up are left to the claims: their campaign is not locked
  // here.
  const whom = {
    sql: `l.campaign_id = ANY ($6::uuid[]) AND ${waitsIn('$3::uuid[]')} AND l.campaign_lead_id IN (
      ${waitingFor(values)('l.campaign_lead_id', '$3::uuid[]', '$4::text[]')} UNION ALL SELECT unnest($5::uuid[]))`,
    values: [workspaces, values, leads, campaigns],
  }
  const ended = await suppressLeads(client, entry, whom, now)
  await settleCampaigns(client, campaigns, now)
  return { added, ended }
}
