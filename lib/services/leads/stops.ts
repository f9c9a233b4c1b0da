import type { PoolClient } from 'pg'
import type { Output } from '#lib/contracts/contract'
import type { StopCampaignLeads } from '#lib/contracts/leads/lead-stops'
import { pool } from '#lib/db/client'
import { inTransaction } from '#lib/db/transaction'
import { stepAction } from '#lib/domain/campaigns/campaign-type'
import { type GoesOn, goesOn, type StoodAt } from '#lib/domain/leads/stopped-lead'
import type { LedgerStatus } from '#lib/domain/leads/uncertain'
import { type LockedCampaign, lockedCampaign, lockLeads } from '#lib/services/campaigns/locks'
import { goOn, settleCampaigns } from '#lib/services/campaigns/state'
import { leadsOnList } from '#lib/services/leads/on-list'
import { forgetGoneSenders } from '#lib/services/leads/state/gone-senders'
import { resumeStopped, stopWaiting } from '#lib/services/leads/state/owner'

type Answer = Output<typeof StopCampaignLeads>
type Unchanged = Answer['unchanged'][number]

/**
 * Ends waiting leads at their owner's request. Their position is stored in the decision log, from which
 * `resumeLeads` restores it.
 */
export async function stopLeads(
  workspaceId: string,
  campaignId: string,
  leadIds: string[],
  now: Date,
): Promise<Answer> {
  const ids = [...new Set(leadIds)]
  return inTransaction(pool(), async (client) => {
    const campaign = await lockedCampaign(client, workspaceId, campaignId)
    const { found: listed, stopped: changed } = await stopWaiting(client, campaign, ids, now)
    await settleCampaigns(client, [campaignId], now)
    const stopped = new Set(changed)
    const there = new Set(listed.map(({ campaign_lead_id }) => campaign_lead_id))
    const unchanged = ids
      .filter((id) => !stopped.has(id))
      .map((campaign_lead_id): Unchanged => {
        return { campaign_lead_id, reason: there.has(campaign_lead_id) ? 'not_waiting' : 'not_found' }
      })
    return { changed, unchanged }
  })
}

/** Undoes `stopLeads` as far as each lead still permits it. A completed campaign becomes active again. */
export async function resumeLeads(
  workspaceId: string,
  campaignId: string,
  leadIds: string[],
  now: Date,
): Promise<Answer> {
  const ids = [...new Set(leadIds)]
  const answer = await inTransaction(pool(), async (client) => {
    const campaign = await lockedCampaign(client, workspaceId, campaignId)
    const known = await stoppedLeads(client, campaign, ids)
    const unchanged: Unchanged[] = []
    const moved: Moved[] = []
    for (const campaign_lead_id of ids) {
      const lead = known.get(campaign_lead_id)
      if (!lead?.stood_at) {
        unchanged.push({ campaign_lead_id, reason: lead ? 'not_stopped' : 'not_found' })
        continue
      }
      const clock = { ...campaign, timezone: lead.timezone ?? campaign.timezone }
      const to = goesOn({ ...lead, stood_at: lead.stood_at, step: lead.offered }, clock, now.getTime())
      if (typeof to === 'string') unchanged.push({ campaign_lead_id, reason: to })
      else moved.push({ campaign_lead_id, to })
    }
    await moveLeads(client, campaign, moved, now)
    await wakeCampaign(client, campaign, moved, now)
    return { changed: moved.map(({ campaign_lead_id }) => campaign_lead_id), unchanged }
  })
  return answer
}

type Moved = { campaign_lead_id: string; to: GoesOn }

type StoppedLead = {
  campaign_lead_id: string
  /** Set if leads follow their own clocks. */
  timezone: string | null
  stood_at: StoodAt | null
  offered: { status: LedgerStatus; performed_at: number } | null
  suppressed: boolean
  edited: boolean
}

async function stoppedLeads(
  client: PoolClient,
  { campaign_id, workspace_id }: LockedCampaign,
  ids: string[],
) {
  await lockLeads(client, campaign_id, ids)
  const { rows } = await client.query<StoppedLead>(
    `SELECT l.campaign_lead_id, l.timezone, stop.detail AS stood_at,
       (SELECT jsonb_build_object('status', a.status, 'performed_at', floor(extract(epoch FROM a.performed_at) * 1000))
        FROM actions a WHERE a.campaign_lead_id = l.campaign_lead_id
          AND a.step = (stop.detail ->> 'next_step')::int) AS offered,
       EXISTS (SELECT 1 FROM effective_suppressions s WHERE s.workspace_id = l.workspace_id
         AND s.value IN (l.email, '@' || split_part(l.email, '@', 2))) AS suppressed,
       EXISTS (SELECT 1 FROM campaign_events e WHERE e.campaign_id = l.campaign_id AND e.campaign_lead_id IS NULL
         AND e.kind = 'edited' AND e.event_id > stop.event_id
         AND e.detail -> 'changed' ?| ARRAY['steps_config', 'alias_ids', 'connected_account_id']) AS edited
     FROM campaign_leads l LEFT JOIN LATERAL (
       SELECT e.event_id, e.detail FROM campaign_events e WHERE e.campaign_lead_id = l.campaign_lead_id
         AND e.kind = 'stopped' AND l.status = 'skipped' AND l.last_event = 'stopped'
       ORDER BY e.event_id DESC LIMIT 1) stop ON true
     WHERE l.campaign_lead_id = ANY ($1) AND l.campaign_id = $2`,
    [ids, campaign_id],
  )
  const named = await leadsOnList(client, workspace_id, ids)
  return new Map(
    rows.map((row) => [
      row.campaign_lead_id,
      { ...row, suppressed: row.suppressed || named.has(row.campaign_lead_id) },
    ]),
  )
}

async function moveLeads(
  client: PoolClient,
  campaign: LockedCampaign,
  moved: Moved[],
  now: Date,
): Promise<void> {
  const step = ({ to }: Moved) => to.next && campaign.steps_config[to.next.step - 1]
  await forgetGoneSenders(
    client,
    moved.map(({ campaign_lead_id }) => campaign_lead_id),
  )
  await resumeStopped(
    client,
    campaign,
    moved.map((lead) => {
      const { campaign_lead_id, to } = lead
      const config = step(lead)
      return {
        campaign_lead_id,
        status: to.status,
        current_step: to.current_step,
        next: to.next && {
          step: to.next.step,
          due_at: new Date(to.next.due_at),
          action_type: config ? stepAction(config) : null,
        },
        channel: config?.channel ?? null,
      }
    }),
    now,
  )
}

/**
 * Restores the status of a campaign that was completed or had no new leads left; a paused one resumes to it.
 */
async function wakeCampaign(
  client: PoolClient,
  campaign: LockedCampaign,
  moved: Moved[],
  now: Date,
): Promise<void> {
  const waiting = moved.filter(({ to }) => to.next)
  if (waiting.length === 0) return
  const isNew = waiting.some(({ to }) => to.status === 'pending')
  const due = new Date(Math.max(now.getTime(), Math.min(...waiting.map(({ to }) => to.next?.due_at ?? 0))))
  await goOn(
    client,
    { campaign_id: campaign.campaign_id, at: due, is_new: isNew },
    'Resuming stopped leads.',
    now,
  )
}
