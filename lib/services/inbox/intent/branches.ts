import type { PoolClient } from 'pg'
import { pool } from '#lib/db/client'
import { inTransaction } from '#lib/db/transaction'
import type { Intent } from '#lib/domain/inbox/intent/intents'
import { AppError } from '#lib/errors'
import { logged } from '#lib/services/campaigns/decision-log'
import { settleCampaigns } from '#lib/services/campaigns/state'
import { addLeadsWithin, lockLaunched } from '#lib/services/leads/rows/add-leads'
import { lockDataset } from '#lib/services/leads/rows/locked-dataset'
import { writeLeadLog } from '#lib/services/leads/told'

/** A campaign that is launching, or whose dataset is in use, takes the person later. */
const MAX_TRIES = 12
const retryAfter = (tries: number) => Math.min(60_000 * 2 ** tries, 3_600_000)
const ROUND = 100

type Asked = { campaign_lead_id: string; workspace_id: string; email: string | null; intent: Intent }

/**
 * Requests, in the transaction of a reply, that its person be added to another campaign once. The dataset of
 * that campaign must be locked before any campaign, so adding happens after this transaction.
 */
export async function askForBranch(
  client: PoolClient,
  { campaign_lead_id, workspace_id, email, intent }: Asked,
  campaignId: string,
  now: Date,
): Promise<void> {
  await client.query(
    `INSERT INTO lead_branches AS b (workspace_id, campaign_lead_id, campaign_id, email, intent, asked_at, next_try_at)
     VALUES ($1, $2, $3, lower($4), $5::"Intent", $6, $6)
     ON CONFLICT (campaign_lead_id, campaign_id) DO UPDATE SET intent = excluded.intent, asked_at = excluded.asked_at,
       next_try_at = excluded.next_try_at, outcome = NULL, tries = 0 WHERE b.outcome = 'cancelled'`,
    [workspace_id, campaign_lead_id, campaignId, email, intent, now],
  )
}

/** Cancels the open requests of leads, except the one to the campaign named in `but`. */
export async function cancelBranches(
  client: PoolClient,
  leads: { campaign_lead_id: string; but: string | null }[],
): Promise<void> {
  await client.query(
    `UPDATE lead_branches b SET next_try_at = NULL, outcome = 'cancelled'
     FROM unnest($1::uuid[], $2::uuid[]) l (campaign_lead_id, but)
     WHERE b.campaign_lead_id = l.campaign_lead_id AND b.next_try_at IS NOT NULL AND b.campaign_id IS DISTINCT FROM l.but`,
    [leads.map((lead) => lead.campaign_lead_id), leads.map(({ but }) => but)],
  )
}

type Branch = {
  branch_id: string
  workspace_id: string
  campaign_lead_id: string
  from_campaign_id: string
  from_name: string
  campaign_id: string
  name: string
  dataset_id: string
  email: string | null
  intent: Intent
  tries: number
  cells: Record<string, string> | null
}

const DUE = `SELECT b.branch_id, b.workspace_id, b.campaign_lead_id, l.campaign_id AS from_campaign_id, f.name AS from_name,
    b.campaign_id, c.name, c.dataset_id, l.email, b.intent, b.tries, r.data AS cells
  FROM lead_branches b JOIN campaign_leads l USING (campaign_lead_id) JOIN campaigns f ON f.campaign_id = l.campaign_id
    JOIN campaigns c ON c.campaign_id = b.campaign_id
    LEFT JOIN dataset_rows r ON r.dataset_id = l.dataset_id AND r.lead_index = l.lead_index
  WHERE b.next_try_at <= $1 ORDER BY b.next_try_at LIMIT ${ROUND}`

/**
 * Adds people with open requests to their campaigns. Safe to run concurrently. A failure of one request other
 * than a refusal is retried like a refusal, and thrown once the others are done.
 */
export async function branchRound(now: Date): Promise<{ goes_on: boolean }> {
  const { rows } = await pool().query<Branch>(DUE, [now])
  const faults: unknown[] = []
  for (const branch of rows) {
    const fault = await followBranch(branch, now)
    if (fault && !(fault instanceof AppError)) faults.push(fault)
  }
  if (faults.length > 0) throw new AggregateError(faults, `${faults.length} branches failed`)
  return { goes_on: rows.length === ROUND }
}

/** The error that prevented it; undefined if it succeeded. */
async function followBranch(branch: Branch, now: Date): Promise<unknown> {
  try {
    await inTransaction(pool(), (client) => takeOn(client, branch, now))
    return undefined
  } catch (error) {
    const isOver = branch.tries + 1 >= MAX_TRIES
    const said = error instanceof AppError ? error.code : 'failed'
    await pool().query(
      `UPDATE lead_branches SET tries = tries + 1, outcome = CASE WHEN $2 THEN $3 END,
         next_try_at = CASE WHEN NOT $2 THEN $4::timestamptz END WHERE branch_id = $1 AND next_try_at IS NOT NULL`,
      [branch.branch_id, isOver, said, new Date(now.getTime() + retryAfter(branch.tries))],
    )
    return error
  }
}

async function takeOn(client: PoolClient, branch: Branch, now: Date): Promise<void> {
  await lockDataset(client, branch.workspace_id, branch.dataset_id)
  await lockLaunched(client, branch)
  // Checked under the locks: another process may have done it meanwhile, or the intent was corrected.
  const { rows: open } = await client.query(
    'SELECT 1 FROM lead_branches WHERE branch_id = $1 AND next_try_at IS NOT NULL FOR UPDATE',
    [branch.branch_id],
  )
  if (open.length === 0) return
  const row = { ...branch.cells, ...(branch.email && { email: branch.email }) }
  const done = await addLeadsWithin(client, branch, { rows: [row], on_conflict: 'skip' }, now)
  const refusal = done.added > 0 ? undefined : done.skipped[0]
  await client.query('UPDATE lead_branches SET next_try_at = NULL, outcome = $2 WHERE branch_id = $1', [
    branch.branch_id,
    refusal?.code ?? 'added',
  ])
  await noteBranch(client, branch, refusal?.message ?? null, now)
  await settleCampaigns(client, [branch.campaign_id], now)
}

/** Adds an entry to the timelines of both leads; a campaign that is still a draft has none. */
async function noteBranch(
  client: PoolClient,
  branch: Branch,
  refusal: string | null,
  now: Date,
): Promise<void> {
  const { campaign_lead_id, workspace_id, campaign_id, from_campaign_id, email, intent } = branch
  const { rows } = await client.query<{ campaign_lead_id: string }>(
    'SELECT campaign_lead_id FROM campaign_leads WHERE campaign_id = $1 AND workspace_id = $2 AND email = $3',
    [campaign_id, workspace_id, email],
  )
  const why = `because their reply was classified as “${intent.replaceAll('_', ' ')}”`
  const reason = refusal ? `Not added to “${branch.name}”: ${refusal}` : `Added to “${branch.name}”, ${why}.`
  const source = { campaign_id: from_campaign_id, workspace_id }
  const log = [
    logged(source, 'branched', now, {
      campaign_lead_id,
      reason,
      detail: { to_campaign_id: campaign_id, intent },
    }),
    ...(refusal ? [] : rows).map((lead) =>
      logged({ campaign_id, workspace_id }, 'branched', now, {
        campaign_lead_id: lead.campaign_lead_id,
        reason: `Added from “${branch.from_name}”, ${why}.`,
        detail: { from_campaign_id, intent },
      }),
    ),
  ]
  await writeLeadLog(client, log)
}
