import type { Pool, PoolClient } from 'pg'
import { prepared } from '#lib/db/prepared'
import { inTransaction, withKeptPlans } from '#lib/db/transaction'
import { asPerformed } from '#lib/domain/campaigns/campaign-type'
import { type Consequence, decideConsequence, type Outcome } from '#lib/domain/sending/outcome'
import { countSend } from '#lib/metrics'
import { logged, writeLog } from '#lib/services/campaigns/decision-log'
import { haltUnhealthy } from '#lib/services/campaigns/halts'
import { lockCampaigns } from '#lib/services/campaigns/locks'
import { judgeProviders } from '#lib/services/campaigns/providers/provider-health'
import { settleCampaigns } from '#lib/services/campaigns/state'
import { listSuppressed, suppress } from '#lib/services/leads/endings'
import { reportActions } from '#lib/services/leads/ledger'
import { forgetGoneSenders } from '#lib/services/leads/state/gone-senders'
import { performSteps } from '#lib/services/leads/state/steps'
import { loseAccount } from '#lib/services/senders/accounts/account-loss'
import type { Recorded, RecordedAction, RecordedCampaign } from '#lib/services/senders/recorded-action'
import { noteSenders, wakeOwners } from '#lib/services/senders/sender-failures'
import { keepSentCopies, type SentCopy } from '#lib/services/senders/sent/sent-copies'
import { giveBackSlots } from '#lib/services/sending/give-back'
import { writeSocialResults } from '#lib/services/sending/social/record-social'

export type Result = {
  action_id: string
  campaign_id: string
  outcome: Outcome
  /** The copy for the Sent folder, stored if the action was sent. */
  copy?: SentCopy | null
}

/** Who may record an outcome: the worker that holds the lease, or anybody once the lease has run out. */
type Authority = { worker: string } | { expired: Date }

/**
 * Writes the outcomes of offers: actions, leads, next slots, and slots to give back. A worker's outcome still counts after its lease
 * ran out, since only that worker knows what happened. Returns how many were written.
 */
export async function recordResults(
  pool: Pool,
  results: Result[],
  authority: Authority,
  now: Date,
): Promise<number> {
  if (results.length === 0) return 0
  let mayGoOn: string[] = []
  const recorded = await withKeptPlans(pool, async (client) => {
    const campaigns = await lockedCampaigns(client, [...new Set(results.map((result) => result.campaign_id))])
    const actions = await lockedActions(
      client,
      results.map((result) => result.action_id),
      [...campaigns.keys()],
      authority,
    )
    const written = results.flatMap((result): Recorded[] => {
      const action = actions.get(result.action_id)
      const campaign = campaigns.get(result.campaign_id)
      if (!action || !campaign) return []
      const timezone = action.timezone ?? campaign.timezone
      const offered = { ...action, ...campaign, timezone, performed_at: action.performed_at.getTime() }
      return [
        {
          action,
          campaign,
          outcome: result.outcome,
          means: withoutLateRetry(action, decideConsequence(offered, result.outcome, now.getTime())),
        },
      ]
    })
    await writeOutcomes(client, written, now)
    const sent = new Set(
      written.flatMap(({ action, means }) => (means.action === 'sent' ? action.action_id : [])),
    )
    await keepSentCopies(
      client,
      results.flatMap(({ action_id, copy }) => (copy && sent.has(action_id) ? copy : [])),
    )
    await moveLeads(client, written, now)
    // Senders before counters, the order claims lock in. An expired lease says nothing about the health of a sender.
    mayGoOn = 'worker' in authority ? await noteSenders(client, written, now) : []
    await writeSocialResults(client, written, now)
    await logRetries(client, written, now)
    await giveBackSlots(client, written)
    // Suppressed in this transaction, so that a crash before the side effects cannot lose a bounce.
    await listSuppressed(
      client,
      written
        .filter(({ means }) => means.suppress)
        .flatMap(({ action }) =>
          action.email ? [{ workspace_id: action.workspace_id, value: action.email }] : [],
        ),
      'hard_bounce',
      now,
    )
    await settleCampaigns(client, mayMoveOn(written), now)
    return written
  })
  for (const { action, outcome } of recorded) countSend(action.channel, outcome.outcome)
  await wakeOwners(pool, mayGoOn, now)
  await sideEffects(pool, recorded, now)
  return recorded.length
}

async function lockedCampaigns(client: PoolClient, ids: string[]): Promise<Map<string, RecordedCampaign>> {
  const { rows } = await client.query<RecordedCampaign>(
    prepared(
      `SELECT c.campaign_id, c.steps_config, c.timezone, c.schedule_timezone, c.sending_window_start, c.sending_window_end, c.sending_windows,
       c.open_from, c.open_until, c.send_days,
       EXISTS (SELECT 1 FROM webhooks w WHERE w.workspace_id = c.workspace_id AND w.enabled
         AND 'lead.sent' = ANY (w.event_types)) AS tells_sent,
       c.status, coalesce(c.total_leads, 0) - c.processed_leads AS leads_left
     FROM campaigns c WHERE c.campaign_id = ANY ($1) ORDER BY c.campaign_id FOR NO KEY UPDATE OF c`,
      [ids],
    ),
  )
  return new Map(
    rows.map((row) => [row.campaign_id, { ...row, steps_config: asPerformed(row.steps_config) }]),
  )
}

/**
 * The campaigns whose status may change by these outcomes: those whose last new lead has begun, or whose last lead may have ended.
 * Settling the others would only cost a query.
 */
function mayMoveOn(written: Recorded[]): string[] {
  const ofCampaign = Map.groupBy(written, ({ campaign }) => campaign)
  return [...ofCampaign].flatMap(([{ campaign_id, status, leads_left }, outcomes]) => {
    const ended = outcomes.filter(({ means }) => means.lead !== 'active').length
    const has_new = outcomes.every(({ action }) => action.has_new)
    return ended >= leads_left || (status === 'active' && !has_new) ? [campaign_id] : []
  })
}

async function lockedActions(
  client: PoolClient,
  ids: string[],
  campaigns: string[],
  authority: Authority,
): Promise<Map<string, RecordedAction>> {
  const mine = 'worker' in authority
  const { rows } = await client.query<RecordedAction>(
    prepared(
      `SELECT a.action_id, a.campaign_lead_id, a.campaign_id, a.workspace_id, a.channel,
       coalesce(a.mailbox_id, a.connected_account_id) AS sender_id, a.action_type, a.step,
       a.performed_at, a.attempts, a.status, l.email, l.timezone,
       a.campaign_id = ANY (ARRAY(SELECT c.campaign_id FROM unnest($3::uuid[]) c (campaign_id)
         WHERE EXISTS (SELECT 1 FROM campaign_leads n WHERE n.campaign_id = c.campaign_id AND n.status = 'pending'))) AS has_new,
       EXISTS (SELECT 1 FROM mailboxes m WHERE m.mailbox_id = a.mailbox_id AND m.status = 'failing')
         OR EXISTS (SELECT 1 FROM connected_accounts f WHERE f.account_id = a.connected_account_id AND f.status = 'failing')
         AS sender_fails,
       a.status = 'uncertain'
         AND (l.status = 'completed' OR l.status = 'active' AND l.next_step = a.step + 1 AND l.next_action_at IS NOT NULL)
         AND NOT EXISTS (SELECT 1 FROM actions later
           WHERE later.campaign_lead_id = a.campaign_lead_id AND later.step > a.step) AS is_latest
     FROM actions a JOIN campaign_leads l USING (campaign_lead_id)
     WHERE a.action_id = ANY ($1) AND ${
       mine
         ? `a.lease_owner = $2 AND a.status IN ('sending', 'uncertain')`
         : `a.status = 'sending' AND a.lease_until < $2`
     } FOR NO KEY UPDATE OF a`,
      [ids, mine ? authority.worker : authority.expired, campaigns],
    ),
  )
  return new Map(rows.map((row) => [row.action_id, row]))
}

/** A late "not sent" of a worker considered dead must not be retried if the lead has had later steps since: steps go in order. */
function withoutLateRetry({ status, is_latest }: RecordedAction, means: Consequence): Consequence {
  const isTooLate = status === 'uncertain' && !is_latest && means.action === 'retry'
  return isTooLate ? { ...means, action: 'failed' } : means
}

/** The lead moved on when the action became uncertain; now it is known that nothing was sent, so it moves back. */
const takesBack = ({ action, means }: Recorded) =>
  action.is_latest && (means.action === 'retry' || means.action === 'failed')

const writeOutcomes = (client: PoolClient, written: Recorded[], now: Date) =>
  reportActions(
    client,
    written.map(({ action, campaign, outcome, means }) => ({
      action_id: action.action_id,
      status: means.action,
      outcome: outcome.outcome,
      response: outcome.response,
      server_message_id: outcome.server_message_id ?? null,
      is_no_try: means.is_no_try,
      is_asked_for: campaign.tells_sent,
    })),
    now,
  )

async function moveLeads(client: PoolClient, written: Recorded[], now: Date): Promise<void> {
  const step = ({ campaign, means }: Recorded) => means.next && campaign.steps_config[means.next.step - 1]
  await forgetGoneSenders(
    client,
    written.filter(takesBack).map(({ action }) => action.campaign_lead_id),
  )
  await performSteps(
    client,
    written.map((each) => {
      const { action, means } = each
      const config = step(each)
      return {
        campaign_lead_id: action.campaign_lead_id,
        step: action.step,
        action: means.action,
        status: means.lead,
        next: means.next && {
          step: means.next.step,
          due_at: new Date(means.next.due_at),
          action_type: config ? config.action_type : null,
        },
        channel: config ? config.channel : null,
        reason: means.reason,
        takes_back: takesBack(each),
      }
    }),
    now,
  )
}

/** The next try overwrites the ledger row, so the refusal's text is kept in the log. */
async function logRetries(client: PoolClient, written: Recorded[], now: Date): Promise<void> {
  const refused = written.filter(({ means }) => means.action === 'retry')
  await writeLog(
    client,
    refused.map(({ action, campaign, outcome, means }) =>
      logged(action, 'retry', now, {
        campaign_lead_id: action.campaign_lead_id,
        step: action.step,
        channel: campaign.steps_config[action.step - 1]?.channel ?? null,
        reason: outcome.response.slice(0, 2_000),
        detail: {
          outcome: outcome.outcome,
          // If the sender is at fault, the sender's next try decides when.
          again_at: means.next && !outcome.sender_fault ? new Date(means.next.due_at).toISOString() : null,
        },
      }),
    ),
  )
}

/** Effects beyond the campaign. Each has its own transaction and is safe to repeat. */
async function sideEffects(pool: Pool, recorded: Recorded[], now: Date): Promise<void> {
  for (const { action, means, outcome } of recorded) {
    if (means.suppress && action.email)
      await suppress(
        pool,
        {
          workspace_id: action.workspace_id,
          values: [action.email],
          reason: 'hard_bounce',
          status: 'bounced',
        },
        now,
      )
    if (means.lead === 'bounced')
      await inTransaction(pool, async (client) => {
        await lockCampaigns(client, [action.campaign_id])
        await haltUnhealthy(client, [action.campaign_id], now)
      })
    if (means.disconnect_sender) await loseAccount(pool, action.sender_id, outcome.response, now)
  }
  const refused = recorded.flatMap(({ action, outcome }) =>
    action.channel === 'email' && ['refused_for_good', 'refused_for_now'].includes(outcome.outcome)
      ? [action]
      : [],
  )
  for (const [workspace_id, actions] of Map.groupBy(refused, (action) => action.workspace_id))
    await judgeProviders(pool, workspace_id, [...new Set(actions.map((action) => action.sender_id))], now)
}
