import type { PoolClient } from 'pg'
import type { z } from 'zod'
import type { ListUncertainActions, ResolveUncertainAction } from '#lib/contracts/leads/uncertain-actions'
import { pool } from '#lib/db/client'
import { firstRow } from '#lib/db/page'
import type { Statements } from '#lib/db/statements'
import { inTransaction } from '#lib/db/transaction'
import type { LeadStatus } from '#lib/domain/campaigns/campaign-status'
import { type LedgerStatus, NOT_AGAIN, type RetryObstacle, retryObstacle } from '#lib/domain/leads/uncertain'
import { AppError } from '#lib/errors'
import { getCampaign } from '#lib/services/campaigns/campaigns'
import { logged, writeLog } from '#lib/services/campaigns/decision-log'
import { goOn } from '#lib/services/campaigns/state'
import { resolveAction } from '#lib/services/leads/ledger'
import { leadsOnList } from '#lib/services/leads/on-list'
import { forgetGoneSenders } from '#lib/services/leads/state/gone-senders'
import { confirmSent, offerStepAgain } from '#lib/services/leads/state/owner'

type Known = {
  action_id: string
  campaign_lead_id: string
  campaign_id: string
  workspace_id: string
  lead_index: number
  email: string | null
  lead_status: LeadStatus
  step: number
  channel: string
  action_type: string
  status: LedgerStatus
  subject: string | null
  offered_at: Date
  sender: string | null
  message_id: string | null
  response: string | null
  recorded_at: Date | null
  suppressed: boolean
  later: LedgerStatus[]
}

const KNOWN = `
  SELECT a.action_id, a.campaign_lead_id, a.campaign_id, a.workspace_id, l.lead_index, l.email,
    CASE WHEN EXISTS (SELECT 1 FROM dataset_rows r WHERE r.dataset_id = l.dataset_id AND r.lead_index = l.lead_index)
      THEN l.status::text ELSE 'skipped' END AS lead_status,
    a.step, a.channel, a.action_type, a.status, a.subject, a.performed_at AS offered_at, coalesce(m.address, c.name) AS sender,
    a.message_id, a.response, a.recorded_at,
    EXISTS (SELECT 1 FROM effective_suppressions s WHERE s.workspace_id = l.workspace_id
      AND s.value IN (l.email, '@' || split_part(l.email, '@', 2))) AS suppressed,
    ARRAY(SELECT n.status::text FROM actions n
      WHERE n.campaign_lead_id = a.campaign_lead_id AND n.step > a.step) AS later
  FROM actions a JOIN campaign_leads l USING (campaign_lead_id) LEFT JOIN mailboxes m ON m.mailbox_id = a.mailbox_id
    LEFT JOIN connected_accounts c ON c.account_id = a.connected_account_id`

/** The list may also name a lead by profile or telephone number. */
async function withNames(client: Statements, workspaceId: string, rows: Known[]): Promise<Known[]> {
  const ids = rows.map((row) => row.campaign_lead_id)
  const named = await leadsOnList(client, workspaceId, ids)
  return rows.map((row) => ({ ...row, suppressed: row.suppressed || named.has(row.campaign_lead_id) }))
}

export async function listUncertainActions(
  workspaceId: string,
  campaignId: string,
  { page, page_size }: z.output<typeof ListUncertainActions.query>,
) {
  const campaign = await getCampaign(workspaceId, campaignId)
  const { rows } = await pool().query<Known>(
    `${KNOWN} WHERE a.campaign_id = $1 AND a.status = 'uncertain' ORDER BY a.performed_at, a.action_id
     OFFSET $2 LIMIT $3`,
    [campaignId, firstRow({ page, page_size }), page_size],
  )
  const items = (await withNames(pool(), workspaceId, rows)).map((row) => {
    const refusal = retryObstacle({ ...row, lead: row.lead_status })
    return { ...row, may_send_again: refusal === null, why_not: refusal && NOT_AGAIN[refusal] }
  })
  return { items, total: campaign.uncertain_count, page, page_size }
}

type Resolution = z.output<typeof ResolveUncertainAction.body>['resolution']
type Resolved = z.output<typeof ResolveUncertainAction.response>

/**
 * Applies the owner's decision on an uncertain action. Campaign, lead and action are locked in the order of
 * claims, so of two concurrent decisions the second finds it resolved. The decision is logged.
 */
export async function resolveUncertainAction(
  workspaceId: string,
  campaignId: string,
  actionId: string,
  resolution: Resolution,
  now: Date,
): Promise<Resolved> {
  await getCampaign(workspaceId, campaignId)
  const resolved = await inTransaction(pool(), async (client) => {
    const known = await lockedAction(client, workspaceId, campaignId, actionId)
    if (resolution === 'sent') return markSent(client, known, now)
    const refusal = retryObstacle({ ...known, lead: known.lead_status })
    return refusal ? closeUnsent(client, known, refusal, now) : offerAgain(client, known, now)
  })
  return resolved
}

async function lockedAction(
  client: PoolClient,
  workspaceId: string,
  campaignId: string,
  actionId: string,
): Promise<Known> {
  const owned = [actionId, campaignId, workspaceId]
  await client.query('SELECT 1 FROM campaigns WHERE campaign_id = $1 FOR NO KEY UPDATE', [campaignId])
  await client.query(
    `SELECT 1 FROM campaign_leads l JOIN actions a USING (campaign_lead_id)
     WHERE a.action_id = $1 AND a.campaign_id = $2 AND a.workspace_id = $3 FOR NO KEY UPDATE OF l, a`,
    owned,
  )
  const { rows } = await client.query<Known>(
    `${KNOWN} WHERE a.action_id = $1 AND a.campaign_id = $2 AND a.workspace_id = $3`,
    owned,
  )
  const [known] = await withNames(client, workspaceId, rows)
  if (!known) throw new AppError('action_not_found')
  if (known.status !== 'uncertain') throw new AppError('action_not_uncertain')
  return known
}

const log = (client: PoolClient, known: Known, resolution: Resolution, reason: string, now: Date) =>
  writeLog(client, [
    logged(known, `resolved_${resolution}`, now, {
      campaign_lead_id: known.campaign_lead_id,
      step: known.step,
      channel: known.channel,
      reason,
      detail: {
        action_id: known.action_id,
        offered_at: known.offered_at.toISOString(),
        known: known.response,
      },
    }),
  ])

async function markSent(client: PoolClient, known: Known, now: Date): Promise<Resolved> {
  const to = { status: 'sent', outcome: 'accepted', response: 'Marked as sent by its owner.' } as const
  await resolveAction(client, known.action_id, to, now)
  await confirmSent(client, known.campaign_lead_id, known.step)
  await log(client, known, 'sent', 'Marked as sent by its owner.', now)
  return { action_id: known.action_id, status: 'sent', will_send_again: false, reason: null }
}

async function closeUnsent(
  client: PoolClient,
  known: Known,
  refusal: RetryObstacle,
  now: Date,
): Promise<Resolved> {
  const reason = NOT_AGAIN[refusal]
  const response = `Marked as not sent by its owner. ${reason}`
  const to = { status: 'failed', outcome: 'never_left', response } as const
  await resolveAction(client, known.action_id, to, now)
  await log(client, known, 'not_sent', reason, now)
  return { action_id: known.action_id, status: 'failed', will_send_again: false, reason }
}

/**
 * Moves the lead back to this step. Later steps that were skipped are decided again when their turn comes,
 * since the message they depended on was never sent. A completed campaign becomes draining again.
 */
async function offerAgain(client: PoolClient, known: Known, now: Date): Promise<Resolved> {
  const to = {
    status: 'retry',
    outcome: 'never_left',
    response: 'Marked as not sent by its owner.',
  } as const
  await resolveAction(client, known.action_id, to, now)
  await client.query(`DELETE FROM actions WHERE campaign_lead_id = $1 AND step > $2 AND status = 'skipped'`, [
    known.campaign_lead_id,
    known.step,
  ])
  await forgetGoneSenders(client, [known.campaign_lead_id])
  const again = { ...known, due_at: now, reason: null, current_step: known.step - 1 }
  await offerStepAgain(client, again, 'resolved_not_sent', now)
  const due = { campaign_id: known.campaign_id, at: now, is_new: false }
  await goOn(client, due, 'An uncertain send was not sent.', now)
  await log(client, known, 'not_sent', 'It will be sent at the next slot.', now)
  return { action_id: known.action_id, status: 'retry', will_send_again: true, reason: null }
}
