import { db, pool } from '#lib/db/client'
import { mayDispatch } from '#lib/domain/campaigns/campaign-status'
import { asPerformed, stepAction } from '#lib/domain/campaigns/campaign-type'
import { explainStanding, explainWait, type WaitReason } from '#lib/domain/forecast/explain-wait'
import type { DispatchInput, FollowUp } from '#lib/domain/sending/dispatch-state'
import type { Sender } from '#lib/domain/sending/sender-limits'
import { AppError } from '#lib/errors'
import { typedCampaign } from '#lib/services/campaigns/campaigns'
import { IS_AWAY, loadFirstReturns } from '#lib/services/forecast/absent'
import { contactHeldCounts } from '#lib/services/forecast/contact-held'
import { waitingZonesSql } from '#lib/services/leads/rows/clocks'
import { type AccountRow, connectedAccounts } from '#lib/services/senders/accounts/account-rows'
import { connectedMailboxes, loadSenders } from '#lib/services/senders/mailbox-rows'
import { heldCounts } from '#lib/services/sending/approved-texts'
import { campaignPaceState, campaignRules } from '#lib/services/sending/load'

export type Explained = Omit<WaitReason, 'until'> & { until: Date | null }

/** Why one campaign is not sending at `now`, and until when. */
export async function explainCampaign(
  workspaceId: string,
  campaignId: string,
  now: Date,
): Promise<Explained> {
  const explained = (await explainCampaigns(workspaceId, [campaignId], now)).get(campaignId)
  if (!explained) throw new AppError('campaign_not_found')
  return explained
}

/**
 * The same for a page of campaigns, in a fixed number of queries, since only the head of each queue is read.
 * Campaigns of other workspaces are left out.
 */
export async function explainCampaigns(
  workspaceId: string,
  campaignIds: string[],
  now: Date,
): Promise<Map<string, Explained>> {
  const rows = await db.campaign.findMany({
    where: { workspace_id: workspaceId, campaign_id: { in: campaignIds } },
    include: { workspace: { select: { timezone: true } } },
  })
  const running = rows.filter((row) => mayDispatch(row.status))
  const away = await loadFirstReturns(
    pool(),
    running.map((row) => row.campaign_id),
    now,
  )
  const inputs = running.length > 0 ? await loadInputs(running, away, now) : new Map<string, DispatchInput>()
  const contact = await contactHeldCounts(
    pool(),
    running.map((row) => row.campaign_id),
  )
  const heldByCampaign = await heldCounts(pool(), running.map(typedCampaign))
  return new Map(
    rows.map((row) => {
      const input = inputs.get(row.campaign_id)
      const reason = input
        ? explainWait(
            row,
            input,
            now.getTime(),
            heldByCampaign.get(row.campaign_id) ?? 0,
            away.get(row.campaign_id) ?? null,
            contact.get(row.campaign_id) ?? null,
          )
        : explainStanding(row)
      if (!reason) throw new Error(`there is no explanation for a campaign that is ${row.status}`)
      return [row.campaign_id, { ...reason, until: reason.until === null ? null : new Date(reason.until) }]
    }),
  )
}

type Row = Parameters<typeof typedCampaign>[0] & { workspace: { timezone: string } }

/** The rows must belong to one workspace, so that its mailboxes are loaded once. */
async function loadInputs(
  rows: Row[],
  away: Awaited<ReturnType<typeof loadFirstReturns>>,
  now: Date,
): Promise<Map<string, DispatchInput>> {
  const [first] = rows
  if (!first) return new Map()
  const owner = {
    workspace_id: first.workspace_id,
    alias_ids: null,
    owner_timezone: first.workspace.timezone,
  }
  const accountsByCampaign = new Map<string, AccountRow[]>()
  for (const row of rows)
    accountsByCampaign.set(row.campaign_id, await connectedAccounts(pool(), typedCampaign(row)))
  const accounts = [
    ...new Map([...accountsByCampaign.values()].flat().map((row) => [row.account_id, row])).values(),
  ]
  const ids = rows.map((row) => row.campaign_id)
  const [mailboxes, all, allAccounts] = await Promise.all([
    connectedMailboxes(pool(), owner),
    // Includes mailboxes that a campaign no longer names: their leads wait too, and the reason is then the
    // missing sender.
    db.mailbox.findMany({ where: { workspace_id: owner.workspace_id }, select: { mailbox_id: true } }),
    db.connectedAccount.findMany({
      where: { workspace_id: owner.workspace_id },
      select: { account_id: true },
    }),
  ])
  const zones = await waitingZones(
    rows.filter((row) => row.schedule_timezone === 'lead').map((row) => row.campaign_id),
  )
  const [senders, days, heads, fresh] = await Promise.all([
    loadSenders(pool(), owner, mailboxes, now, accounts),
    lastDays(ids),
    headsOfQueues(
      rows,
      [...all.map((mailbox) => mailbox.mailbox_id), ...allAccounts.map((account) => account.account_id)],
      zones,
      now,
    ),
    firstPending(rows, zones, now),
  ])
  const inputs = await Promise.all(
    rows.map(async (row) => {
      const campaign = typedCampaign(row)
      const mine = (accountsByCampaign.get(row.campaign_id) ?? []).map((account) => account.account_id)
      const mayUse = ({ sender_id, channel }: Sender) =>
        channel === 'social'
          ? mine.includes(sender_id)
          : campaign.alias_ids === null || campaign.alias_ids.includes(sender_id)
      const isIts = (head: { campaign_id: string }) => head.campaign_id === row.campaign_id
      const back = away.get(row.campaign_id)
      const waiting = [...heads.filter(isIts), ...(back ? [back] : [])]
      const pending = fresh.filter(isIts)
      const timezones = new Map([...waiting, ...pending].map((lead) => [lead.lead_index, lead.timezone]))
      const input: DispatchInput = {
        campaign: await campaignRules({
          ...campaign,
          steps_config: asPerformed(campaign.steps_config),
          owner_timezone: row.workspace.timezone,
          launched_at: campaign.launched_at ?? now,
        }),
        pace: campaignPaceState(campaign, days.get(row.campaign_id)),
        senders: senders.filter(mayUse),
        owner_timezone: row.workspace.timezone,
        follow_ups: waiting,
        new_leads: pending.map(({ lead_index }) => lead_index).sort((a, b) => a - b),
        timezone_of: (lead_index) => timezones.get(lead_index) ?? null,
      }
      return [row.campaign_id, input] as const
    }),
  )
  return new Map(inputs)
}

async function lastDays(ids: string[]) {
  const { rows } = await pool().query<{ campaign_id: string; window_day: string; used: number }>(
    `SELECT DISTINCT ON (campaign_id) campaign_id, to_char(window_day, 'YYYY-MM-DD') AS window_day, used
     FROM campaign_days d WHERE campaign_id = ANY ($1) ORDER BY campaign_id, d.window_day DESC`,
    [ids],
  )
  return new Map(rows.map((row) => [row.campaign_id, row]))
}

type Head = FollowUp & { campaign_id: string; timezone: string | null }
/** By campaign, the zones of its waiting leads; absent if all leads follow the campaign's clock. */
type Zones = ReadonlyMap<string, string[]>

async function waitingZones(ids: string[]): Promise<Zones> {
  if (ids.length === 0) return new Map()
  const { rows } = await pool().query<{ campaign_id: string; zones: string[] }>(
    `SELECT c.campaign_id, ARRAY(${waitingZonesSql('c.campaign_id')}) AS zones FROM unnest($1::uuid[]) c (campaign_id)`,
    [ids],
  )
  return new Map(rows.map(({ campaign_id, zones }) => [campaign_id, zones]))
}

/**
 * The lead that each queue would release next: one index lookup per campaign, kind of action, sender and
 * clock.
 */
async function headsOfQueues(rows: Row[], senderIds: string[], zones: Zones, now: Date): Promise<Head[]> {
  const toLanes = (row: Row, clocks: (string | null)[]) => {
    const types = [...new Set(typedCampaign(row).steps_config.map(stepAction))]
    const queues = types.flatMap((type) => [null, ...senderIds].map((sender) => [type, sender]))
    return queues.flatMap((queue) => clocks.map((timezone) => [row.campaign_id, ...queue, timezone]))
  }
  const loadHeads = async (lanes: (string | null)[][], clock: string) => {
    if (lanes.length === 0) return []
    const head = `SELECT campaign_id, lead_index, next_step AS step,
        (extract(epoch FROM next_action_at) * 1000)::float8 AS due_at, mailbox_id, connected_account_id AS account_id,
        l.timezone
      FROM campaign_leads l
      WHERE l.campaign_id = lane.campaign_id AND l.status = 'active' AND l.next_action_at IS NOT NULL
        AND l.next_action_type = lane.action_type ${clock} AND NOT ${IS_AWAY}`
    const { rows: heads } = await pool().query<Head>(
      `SELECT l.* FROM unnest($2::uuid[], $3::text[], $4::uuid[], $5::text[])
         lane (campaign_id, action_type, sender_id, timezone)
       CROSS JOIN LATERAL (
         (${head} AND l.next_sender_id = lane.sender_id ORDER BY l.next_action_at, l.lead_index LIMIT 1)
         UNION ALL
         (${head} AND l.next_sender_id IS NULL AND lane.sender_id IS NULL
          ORDER BY l.next_action_at, l.lead_index LIMIT 1)) l`,
      [now, ...[0, 1, 2, 3].map((column) => lanes.map((lane) => lane[column]))],
    )
    return heads
  }
  const lanes = rows.flatMap((row) => toLanes(row, zones.get(row.campaign_id) ?? [null]))
  const [ofCampaigns, ofLeads] = await Promise.all([
    loadHeads(
      lanes.filter(([, , , timezone]) => timezone === null),
      '',
    ),
    loadHeads(
      lanes.filter(([, , , timezone]) => timezone !== null),
      'AND l.timezone = lane.timezone',
    ),
  ])
  return [...ofCampaigns, ...ofLeads]
}

type Pending = { campaign_id: string; lead_index: number; timezone: string | null }

/** The new lead that each campaign would take next; one per clock if leads follow their own clocks. */
async function firstPending(rows: Row[], zones: Zones, now: Date): Promise<Pending[]> {
  const asked = rows.flatMap(({ campaign_id }) =>
    (zones.get(campaign_id) ?? [null]).map((timezone) => ({ campaign_id, timezone })),
  )
  const loadFirst = async (which: typeof asked, clock: string) => {
    if (which.length === 0) return []
    const { rows: first } = await pool().query<Pending>(
      `SELECT c.campaign_id, l.lead_index, c.timezone FROM unnest($2::uuid[], $3::text[]) c (campaign_id, timezone)
       CROSS JOIN LATERAL (
         SELECT lead_index FROM campaign_leads l WHERE l.campaign_id = c.campaign_id AND l.status = 'pending' ${clock}
           AND NOT ${IS_AWAY} ORDER BY l.lead_index LIMIT 1) l`,
      [now, which.map(({ campaign_id }) => campaign_id), which.map(({ timezone }) => timezone)],
    )
    return first
  }
  const [ofCampaigns, ofLeads] = await Promise.all([
    loadFirst(
      asked.filter(({ timezone }) => timezone === null),
      '',
    ),
    loadFirst(
      asked.filter(({ timezone }) => timezone !== null),
      'AND l.timezone = c.timezone',
    ),
  ])
  return [...ofCampaigns, ...ofLeads]
}
