import type { PoolClient } from 'pg'
import { prepared } from '#lib/db/prepared'
import { formatDay, loadZone, toDay } from '#lib/domain/calendar/zoned-time'
import { nextPoll } from '#lib/domain/inbox/poll-cadence'
import type { Plan } from '#lib/domain/sending/dispatch-policy'
import { PACE, paceValues } from '#lib/services/campaigns/state'
import { offerActions } from '#lib/services/leads/ledger'
import { claimLeads } from '#lib/services/leads/state/steps'
import type { DueCampaign } from '#lib/services/sending/load'
import type { Claimed } from '#lib/services/sending/social/compose-social'

/** The state a plan was made from changed before it was written: the transaction rolls back and the claim is made again. */
export class PlanOutdated extends Error {}

type Lease = { worker: string; lease_until: Date }

/**
 * Writes the ledger rows before any provider is called. A new action is an insert, so the unique key on (lead, step) refuses a
 * second one; a retry takes its own row back. The leads leave their queues under the same guard.
 */
export async function writeActions(
  client: PoolClient,
  campaign: DueCampaign,
  actions: Claimed[],
  lease: Lease,
) {
  if (actions.length === 0) return
  const claimed = await claimLeads(
    client,
    actions.map((action) => ({
      campaign_lead_id: action.lead.campaign_lead_id,
      // The step the plan found the lead at: the plan may have skipped steps before the one it performs.
      planned_from: action.lead.next_step,
      step: action.step,
      mailbox_id: action.mailbox?.mailbox_id ?? null,
      account_id: actionAccount(action),
      message_id: action.mail?.message_id ?? null,
      // The subject of an InMail does not start a mail thread.
      subject: action.mail?.subject ?? null,
    })),
  )
  if (claimed !== actions.length) throw new PlanOutdated()
  await offerActions(
    client,
    campaign,
    actions.map((action) => ({
      action_id: action.action_id,
      campaign_lead_id: action.lead.campaign_lead_id,
      step: action.step,
      channel: campaign.steps_config[action.step - 1]?.channel,
      action_type: campaign.steps_config[action.step - 1]?.action_type,
      variant_label: action.variant?.label ?? null,
      template_id: action.variant?.template_id ?? null,
      mailbox_id: action.mailbox?.mailbox_id ?? null,
      account_id: actionAccount(action),
      performed_at: new Date(action.at),
      message_id: action.mail?.message_id ?? null,
      from_address: action.mail?.from.address ?? null,
      subject: action.subject,
      body: 'text' in action ? action.text : (action.mail?.text ?? null),
    })),
    lease,
  )
}

const actionAccount = (action: Claimed) => ('account' in action ? action.account.account_id : null)

/** Each slot counts for its sender on the owner's date, restarts the sender's interval, and counts for the campaign's day. */
const COUNTED = `WITH sender_counts AS (INSERT INTO sender_days AS d (sender_id, local_date, action_type, used)
    SELECT s.sender_id, $8::date, s.action_type, count(*) FROM unnest($9::uuid[], $10::text[]) s (sender_id, action_type)
    GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ON CONFLICT (sender_id, local_date, action_type) DO UPDATE SET used = d.used + excluded.used),
  mailboxes_used AS (UPDATE mailboxes SET last_action_at = $7, inbox_due_at = least(inbox_due_at, $11)
    WHERE mailbox_id = ANY ($12::uuid[])),
  accounts_used AS (UPDATE connected_accounts SET last_action_at = $7, messages_due_at = least(messages_due_at, $11)
    WHERE account_id = ANY ($13::uuid[])),
  day_counts AS (INSERT INTO campaign_days (campaign_id, window_day, used) SELECT $1, $14::date, $15 WHERE $14 IS NOT NULL
    ON CONFLICT (campaign_id, window_day) DO UPDATE SET used = excluded.used)
  ${PACE} RETURNING (SELECT w.timezone FROM workspaces w WHERE w.workspace_id = campaigns.workspace_id) AS owner_timezone`

/**
 * Writes where the campaign stands after the plan: its day count, last action and next slot. The senders' counters are written in
 * the same statement, by dates of the workspace's zone.
 */
export async function writePace(
  client: PoolClient,
  campaign: DueCampaign,
  plan: Plan,
  actions: Claimed[],
  now: Date,
) {
  const paced = paceValues(campaign.campaign_id, plan, plan.actions.length > 0 ? plan.shares : null)
  if (actions.length === 0) return void (await client.query(prepared(PACE, paced)))
  const { window_day, window_day_count } = plan.pace
  const accounts = actions.flatMap((action) => actionAccount(action) ?? [])
  const { rows } = await client.query<Pick<DueCampaign, 'owner_timezone'>>(
    prepared(COUNTED, [
      ...paced,
      now,
      formatDay(toDay(loadZone(campaign.owner_timezone), now.getTime())),
      actions.map((action) => action.sender_id),
      actions.map((action) => campaign.steps_config[action.step - 1]?.action_type),
      // From now on a reply may arrive, so the inbox is due for reading.
      new Date(nextPoll({ since: now.getTime() }, now.getTime()) ?? now),
      [...new Set(actions.flatMap((action) => action.mailbox?.mailbox_id ?? []))],
      [...new Set(accounts)],
      window_day,
      window_day_count,
    ]),
  )
  // The zone was read when the campaign was locked, from an older snapshot; it may have changed since.
  if (rows[0]?.owner_timezone !== campaign.owner_timezone) throw new PlanOutdated()
}
