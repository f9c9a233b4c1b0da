import { db, pool } from '#lib/db/client'
import { mayDispatch } from '#lib/domain/campaigns/campaign-status'
import { asPerformed, stepAction } from '#lib/domain/campaigns/campaign-type'
import { explainStanding, explainWait, type WaitReason } from '#lib/domain/forecast/explain-wait'
import type { DispatchInput, FollowUp } from '#lib/domain/sending/dispatch-state'
import type { Sender } from '#lib/domain/sending/sender-limits'
import { AppError } from '#lib/errors'
import { typedCampaign } from '#lib/services/campaigns/campaigns'
import { IS_AWAY, loadFirstsBack } from '#lib/services/forecast/absent'
import { contactHeldCounts } from '#lib/services/forecast/contact-held'
import { type AccountRow, connectedAccounts } from '#lib/services/senders/account-rows'
import { heldCounts } from '#lib/services/sending/approved-texts'
import { campaignPaceState, campaignRules, connectedMailboxes, loadSenders } from '#lib/services/sending/load'

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
 * The same for a page of campaigns, in a handful of queries however many they are: only the head of each queue is read.
 * Campaigns of other owners are left out.
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
  const away = await loadFirstsBack(
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
      if (!reason) throw new Error(`nothing explains a campaign that is ${row.status}`)
      return [row.campaign_id, { ...reason, until: reason.until === null ? null : new Date(reason.until) }]
    }),
  )
}

type Row = Parameters<typeof typedCampaign>[0] & { workspace: { timezone: string } }

/** All of one owner, so that their mailboxes are loaded once. */
async function loadInputs(
  rows: Row[],
  away: Awaited<ReturnType<typeof loadFirstsBack>>,
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
    // Leads of a mailbox that the campaign no longer names wait too: then no sender is the reason.
    db.mailbox.findMany({ where: { workspace_id: owner.workspace_id }, select: { mailbox_id: true } }),
    db.connectedAccount.findMany({
      where: { workspace_id: owner.workspace_id },
      select: { account_id: true },
    }),
  ])
  const [senders, days, heads, fresh] = await Promise.all([
    loadSenders(pool(), owner, mailboxes, now, accounts),
    lastDays(ids),
    headsOfQueues(
      rows,
      [...all.map((mailbox) => mailbox.mailbox_id), ...allAccounts.map((account) => account.account_id)],
      now,
    ),
    firstPending(ids, now),
  ])
  const inputs = await Promise.all(
    rows.map(async (row) => {
      const campaign = typedCampaign(row)
      const mine = (accountsByCampaign.get(row.campaign_id) ?? []).map((account) => account.account_id)
      const mayUse = ({ sender_id, channel }: Sender) =>
        channel === 'social'
          ? mine.includes(sender_id)
          : campaign.alias_ids === null || campaign.alias_ids.includes(sender_id)
      const pending = fresh.get(row.campaign_id)
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
        follow_ups: [
          ...heads.filter((head) => head.campaign_id === row.campaign_id),
          ...[away.get(row.campaign_id)].flatMap((first) => first ?? []),
        ],
        new_leads: pending === undefined ? [] : [pending],
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

/** The lead that each queue would give next: one index look-up per campaign, kind of action and sender. */
async function headsOfQueues(
  rows: Row[],
  mailboxIds: string[],
  now: Date,
): Promise<(FollowUp & { campaign_id: string })[]> {
  const lanes = rows.flatMap((row) => {
    const types = [...new Set(typedCampaign(row).steps_config.map(stepAction))]
    return types.flatMap((type) => [null, ...mailboxIds].map((sender) => [row.campaign_id, type, sender]))
  })
  const head = `SELECT campaign_id, lead_index, next_step AS step,
      (extract(epoch FROM next_action_at) * 1000)::float8 AS due_at, mailbox_id, connected_account_id AS account_id
    FROM campaign_leads l
    WHERE l.campaign_id = lane.campaign_id AND l.status = 'active' AND l.next_action_at IS NOT NULL
      AND l.next_action_type = lane.action_type AND NOT ${IS_AWAY}`
  const { rows: heads } = await pool().query<FollowUp & { campaign_id: string }>(
    `SELECT l.* FROM unnest($2::uuid[], $3::text[], $4::uuid[]) lane (campaign_id, action_type, sender_id)
     CROSS JOIN LATERAL (
       (${head} AND l.next_sender_id = lane.sender_id ORDER BY l.next_action_at, l.lead_index LIMIT 1)
       UNION ALL
       (${head} AND l.next_sender_id IS NULL AND lane.sender_id IS NULL
        ORDER BY l.next_action_at, l.lead_index LIMIT 1)) l`,
    [now, ...[0, 1, 2].map((column) => lanes.map((lane) => lane[column]))],
  )
  return heads
}

async function firstPending(ids: string[], now: Date): Promise<Map<string, number>> {
  const { rows } = await pool().query<{ campaign_id: string; lead_index: number }>(
    `SELECT c.campaign_id, l.lead_index FROM unnest($2::uuid[]) c (campaign_id) CROSS JOIN LATERAL (
       SELECT lead_index FROM campaign_leads l WHERE campaign_id = c.campaign_id AND status = 'pending' AND NOT ${IS_AWAY}
       ORDER BY lead_index LIMIT 1) l`,
    [now, ids],
  )
  return new Map(rows.map((row) => [row.campaign_id, row.lead_index]))
}
