import type { PoolClient } from 'pg'
import { pool } from '#lib/db/client'
import { inTransaction } from '#lib/db/transaction'
import { replyEffect } from '#lib/domain/inbox/intent/intent-rules'
import type { Intent } from '#lib/domain/inbox/intent/intents'
import { logged } from '#lib/services/campaigns/decision-log'
import { lockCampaigns } from '#lib/services/campaigns/locks'
import { settleCampaigns } from '#lib/services/campaigns/state'
import { askForBranch, branchRound, cancelBranches } from '#lib/services/inbox/intent/branches'
import { followInConversation } from '#lib/services/inbox/intent/conversation'
import { holdUntilDay } from '#lib/services/inbox/intent/holds'
import { rulesFor } from '#lib/services/inbox/intent/rules'
import { endHold } from '#lib/services/leads/absences'
import { campaignsWithLeads, suppressWithin } from '#lib/services/leads/endings'
import { forgetLeft } from '#lib/services/leads/state/departures'
import { endElsewhere, endLeads } from '#lib/services/leads/state/endings'
import { writeLeadLog } from '#lib/services/leads/told'

type Corrected = {
  workspace_id: string
  inbox_message_id: string
  campaign_id: string
  campaign_lead_id: string
  step: number
  channel: string
  email: string | null
  status: string
  intent: Intent | null
  intent_by: string | null
  until: string | null
  message_id: string
  at: Date
  is_held: boolean
}

/** SQL: the message that determines a conversation's intent. Without a lead there is nothing to end. */
const CORRECTED = `SELECT t.workspace_id, m.inbox_message_id, l.campaign_id, l.campaign_lead_id, l.current_step AS step, t.channel,
    lower(l.email) AS email, l.status::text AS status, m.intent::text AS intent, m.intent_by::text AS intent_by,
    to_char(m.intent_until, 'YYYY-MM-DD') AS until, coalesce(m.inbound_message_id, m.inbox_message_id) AS message_id, m.at,
    EXISTS (SELECT 1 FROM absences b WHERE b.workspace_id = l.workspace_id AND b.email = lower(l.email)
      AND b.inbound_message_id = coalesce(m.inbound_message_id, m.inbox_message_id) AND b.until > $3) AS is_held
  FROM threads t JOIN inbox_messages m ON m.inbox_message_id = t.intent_message_id
    JOIN campaign_leads l ON l.campaign_lead_id = t.campaign_lead_id
  WHERE t.workspace_id = $1 AND t.thread_id = $2`

/**
 * Applies a user's correction of a reply's intent, after it is stored: the effects of the rule that have not
 * happened yet. A held lead waits until another day or ends as after any other reply; a lead that ended stays
 * ended. A lead is added to another campaign at most once. Safe to repeat, since a crash may have interrupted
 * an earlier run.
 */
export async function followCorrection(workspaceId: string, threadId: string, now: Date): Promise<void> {
  const isBranched = await inTransaction(pool(), async (client) => {
    const read = async () => (await client.query<Corrected>(CORRECTED, [workspaceId, threadId, now])).rows[0]
    const before = await read()
    if (!before) return forget(client, workspaceId, threadId)
    const isWish = before.intent === 'stop'
    const named = before.email === null ? [] : [before.email]
    const campaigns = await campaignsWithLeads(client, workspaceId, named, { is_wish: isWish })
    await lockCampaigns(client, [...new Set([before.campaign_id, ...campaigns])])
    // The values read earlier may have changed before the locks were taken.
    const lead = await read()
    if (!lead || lead.email !== before.email || lead.intent !== before.intent) return false
    const effect = await follow(client, lead, now)
    await settleCampaigns(client, campaigns, now)
    await forget(client, workspaceId, threadId)
    await followInConversation(client, workspaceId, lead.inbox_message_id, now)
    return effect === 'branch'
  })
  if (isBranched) await branchRound(now)
}

async function forget(client: PoolClient, workspaceId: string, threadId: string): Promise<false> {
  await client.query(
    'UPDATE inbox_messages SET follow_at = NULL WHERE workspace_id = $1 AND thread_id = $2 AND follow_at IS NOT NULL',
    [workspaceId, threadId],
  )
  return false
}

async function follow(client: PoolClient, lead: Corrected, now: Date): Promise<'end' | 'hold' | 'branch'> {
  const { workspace_id, campaign_id, campaign_lead_id, intent, until } = lead
  const [rule = null] = await rulesFor(client, [lead])
  const read = intent && { intent, until }
  const effect = replyEffect(read, rule, { campaign_id, received_at: lead.at.getTime() })
  const isHeld = effect.does === 'hold' && (await holdAnew(client, lead, effect.until, now))
  if (lead.is_held && !isHeld) await endHeld(client, lead, now)
  const but = effect.does === 'branch' ? effect.campaign_id : null
  await cancelBranches(client, [{ campaign_lead_id, but }])
  if (intent !== 'wrong_person' && intent !== 'referral') await forgetLeft(client, lead)
  if (intent === 'stop') await onStop(client, lead, now)
  if (effect.does === 'branch' && intent && lead.status !== 'unsubscribed')
    await askForBranch(
      client,
      { workspace_id, campaign_lead_id, email: lead.email, intent },
      effect.campaign_id,
      now,
    )
  return effect.does
}

async function holdAnew(client: PoolClient, lead: Corrected, until: string, now: Date): Promise<boolean> {
  const notice = { inbound_message_id: lead.message_id, received_at: now }
  const held = await holdUntilDay(client, lead, { until, evidence: '' }, notice, now)
  if (!held) return false
  const detail = { until: held.toISOString() }
  const { campaign_lead_id } = lead
  await writeLeadLog(client, [logged(lead, 'hold_set', now, { campaign_lead_id, detail })])
  return true
}

async function endHeld(client: PoolClient, lead: Corrected, now: Date): Promise<void> {
  const { email, campaign_lead_id } = lead
  await endHold(client, lead, now, lead.message_id)
  await endLeads(client, [{ ...lead, status: 'replied', reason: null }], now)
  if (email) await endElsewhere(client, [{ ...lead, email, is_wish: false }], now)
  await writeLeadLog(client, [logged(lead, 'hold_lifted', now, { campaign_lead_id, detail: {} })])
}

/**
 * Only a person's decision counts as a request to stop everywhere. Rules and models may be wrong, so their
 * result ends only this lead.
 */
async function onStop(client: PoolClient, lead: Corrected, now: Date): Promise<void> {
  const { workspace_id, email, campaign_lead_id } = lead
  if (lead.intent_by !== 'person' || email === null) return
  const entry = {
    workspace_id,
    values: [email],
    reason: 'unsubscribe',
    status: 'unsubscribed',
    is_wish: true,
  } as const
  const { added } = await suppressWithin(client, entry, now)
  if (added === 0) return
  const detail = { via: 'inbox' }
  await writeLeadLog(client, [logged(lead, 'unsubscribed', now, { campaign_lead_id, detail })])
}

/** Applies corrections whose process ended before their effects were done. */
export async function followLeftCorrections(now: Date): Promise<void> {
  const { rows } = await pool().query<{ workspace_id: string; thread_id: string }>(
    `SELECT DISTINCT workspace_id, thread_id FROM (SELECT workspace_id, thread_id FROM inbox_messages
       WHERE follow_at <= $1 ORDER BY follow_at LIMIT 200) due`,
    [now],
  )
  for (const { workspace_id, thread_id } of rows) await followCorrection(workspace_id, thread_id, now)
}
