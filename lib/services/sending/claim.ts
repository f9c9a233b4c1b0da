import type { Pool, PoolClient } from 'pg'
import { prepared } from '#lib/db/prepared'
import { withKeptPlans } from '#lib/db/transaction'
import { uuidv7 } from '#lib/db/uuid'
import { type Plan, planDispatch } from '#lib/domain/sending/dispatch-policy'
import { settleCampaigns } from '#lib/services/campaigns/state'
import { leadsAfterColleague } from '#lib/services/leads/colleagues'
import { endSuppressedLeads } from '#lib/services/leads/endings'
import { leadsOnList } from '#lib/services/leads/on-list'
import { endLeft } from '#lib/services/leads/state/departures'
import { endReplied } from '#lib/services/leads/state/endings'
import { putOffLeads } from '#lib/services/leads/state/put-off'
import { type AccountRow, lockAccounts } from '#lib/services/senders/accounts/account-rows'
import { loadSenders, lockMailboxes, type MailboxRow } from '#lib/services/senders/mailbox-rows'
import { keepRampDays } from '#lib/services/senders/ramp/ramp-days'
import { noteTries, tryingOne } from '#lib/services/senders/sender-failures'
import { heldLeads, holdLeads } from '#lib/services/sending/approved-texts'
import { composeAction, loadTexts, type Planned } from '#lib/services/sending/compose'
import { contactGate } from '#lib/services/sending/contact-holds'
import { askForLostWakes, passOnRoom } from '#lib/services/sending/contact-wakes'
import { unreadMailboxes } from '#lib/services/sending/fresh-read'
import { inTurns } from '#lib/services/sending/in-turns'
import { LEASE_MS } from '#lib/services/sending/leases'
import { tellReachedLimits } from '#lib/services/sending/limit-log'
import {
  type ClaimedCampaign,
  type DueCampaign,
  dispatchInput,
  lockDueCampaign,
  type WaitingLead,
} from '#lib/services/sending/load'
import { claimedProviders } from '#lib/services/sending/providers/recipient-providers'
import { putOffInPlan, skippedLeads, writeSkips } from '#lib/services/sending/skips'
import { type Claimed, composeSocial, type PlannedSocial } from '#lib/services/sending/social/compose-social'
import { loadLeads } from '#lib/services/sending/waiting-leads'
import { writeActions, writePace } from '#lib/services/sending/write'

/** Most actions per claim: enough to spread the cost of a claim, few enough to hold its locks briefly. */
export const CLAIM_CAP = 200
/** Messages composed before the event loop gets a turn. Composing a whole claim at once blocks the process for 50 ms. */
const COMPOSED_IN_A_TURN = 10
/**
 * Leads loaded for a campaign with an interval, of which only one action is due at a time. The spare ones cover leads that are put
 * off or skipped without taking a slot; if all loaded leads are, the caller claims again with `wide`.
 */
const PACED = { lane: 2, fresh: 10 }
export type Claim = {
  campaign: DueCampaign
  actions: Claimed[]
  /** Whether the campaign should be claimed again at once. */
  goes_on: boolean
  /** Set when nothing was claimed because these mailboxes must be read before the campaign's follow-ups may leave. */
  unread?: string[]
}
type Asked = {
  /** Load a full claim's leads even for a campaign with an interval; see PACED. */
  wide?: boolean
  /** Require that the mailboxes of follow-ups were read recently. */
  fresh: boolean
  /** Campaigns to leave out. */
  except: string[]
}

/**
 * Claims what one due campaign may do now, in one transaction. It locks the campaign, its mailboxes, its accounts, its leads and
 * the people of leads whose first step is due, always in this order. Then the policy plans, ledger rows are written as `sending`
 * under a lease, and counters, leads and the next slot move with them. Providers are called only after the commit. A pause, reply
 * or unsubscribe committed before the claim is respected; one that comes during it waits for the locks and finds the action under
 * way.
 *
 * Null when no campaign is due. A claim without actions has still moved the campaign's next slot.
 */
export async function claimDueCampaign(
  pool: Pool,
  worker: string,
  now: Date,
  cap = CLAIM_CAP,
  { wide = false, fresh, except }: Asked = { fresh: false, except: [] },
): Promise<Claim | null> {
  return withKeptPlans(pool, async (client) => {
    const campaign = await lockDueCampaign(client, now, except)
    if (!campaign) return null
    const mailboxes = await lockMailboxes(client, campaign)
    const accounts = await lockAccounts(client, campaign)
    await keepRampDays(client, campaign, mailboxes, now)
    const senders = await loadSenders(client, campaign, mailboxes, now, accounts)
    const isPaced = campaign.min_interval_seconds > 0 && !wide
    const most = isPaced ? Math.min(cap, PACED.fresh) : cap
    const lane = isPaced ? Math.min(cap, PACED.lane) : cap
    const leads = await loadLeads(client, campaign, senders, { lane, fresh: most }, now)
    const waiting = [...leads.newLeads, ...leads.followUps]
    if (await moveUnready(client, campaign, waiting, now)) {
      // The campaign stays due and is planned without them at the next claim.
      await settleCampaigns(client, [campaign.campaign_id], now)
      return { campaign, actions: [], goes_on: true }
    }
    const contact = await contactGate(client, campaign, waiting, now)
    const after_colleague = await afterColleague(client, campaign, waiting, now)
    const providers = await claimedProviders(client, campaign, mailboxes, waiting, now)
    const waits = { contact, after_colleague, providers }
    const input = await dispatchInput(client, campaign, tryingOne(senders), leads, waits)
    const plan = planDispatch(input, now.getTime(), most)
    const composed = await compose(client, campaign, plan, waiting, { mailboxes, accounts }, now)
    // Only composing finds these: the plan skipped a step on the way to an AI step, or the message is a retry.
    const heldLate = composed.flatMap((one) =>
      'held' in one && one.held ? [{ lead: one.lead, step: one.step, reason: one.held }] : [],
    )
    if (heldLate.length > 0) {
      await holdLeads(client, campaign, heldLate, now)
      return { campaign, actions: [], goes_on: true }
    }
    const unread = fresh ? unreadMailboxes(composed, mailboxes, now) : []
    if (unread.length > 0) return { campaign, actions: [], goes_on: true, unread }
    await writeActions(client, campaign, composed, {
      worker,
      lease_until: new Date(now.getTime() + LEASE_MS),
    })
    await writeSkips(client, campaign, skippedLeads(campaign, plan, waiting), now)
    await putOffLeads(client, campaign, putOffInPlan(campaign, plan, waiting), now)
    await passOnRoom(client, campaign, plan, waiting, now, contact?.soon)
    await noteTries(client, senders, new Set(composed.map((action) => action.sender_id)), now)
    await tellReachedLimits(client, campaign, senders, { plan, actions: composed }, now)
    await writePace(client, campaign, plan, composed, now)
    // Claimed leads are under way, so a campaign that has any cannot complete yet.
    if (plan.skips.length > 0 || composed.length === 0)
      await settleCampaigns(client, [campaign.campaign_id], now)
    const goes_on = plan.next_slot_at !== null && plan.next_slot_at <= now.getTime()
    return { campaign, actions: composed, goes_on }
  })
}

/** Ends or holds loaded leads that no plan may include, or asks for a wake-up they missed. Returns whether there were any. */
async function moveUnready(
  client: PoolClient,
  campaign: ClaimedCampaign,
  waiting: WaitingLead[],
  now: Date,
): Promise<boolean> {
  if (await endBarred(client, campaign, waiting, now)) return true
  const held = await heldLeads(client, campaign, waiting, now)
  if (held.length > 0) {
    await holdLeads(client, campaign, held, now)
    return true
  }
  return askForLostWakes(client, campaign, waiting, now)
}

/** Ends leads that the suppression list or the contact policy bars. Returns whether there were any. */
async function endBarred(
  client: PoolClient,
  { workspace_id, lists_names, contact_policy_override }: ClaimedCampaign,
  waiting: WaitingLead[],
  now: Date,
): Promise<boolean> {
  const ids = (leads: WaitingLead[]) => leads.map((lead) => lead.campaign_lead_id)
  const named = lists_names ? await leadsOnList(client, workspace_id, ids(waiting)) : new Set<string>()
  const suppressed = waiting.filter((lead) => lead.suppressed || named.has(lead.campaign_lead_id))
  const replied = waiting.filter((lead) => lead.replied_elsewhere && !suppressed.includes(lead))
  const left = waiting.filter(
    (lead) =>
      contact_policy_override === null && lead.has_left && ![...suppressed, ...replied].includes(lead),
  )
  if (suppressed.length > 0) await endSuppressedLeads(client, ids(suppressed), now)
  if (replied.length > 0) await endReplied(client, ids(replied), now)
  if (left.length > 0) await endLeft(client, ids(left), now)
  return suppressed.length + replied.length + left.length > 0
}

/** Leads that must wait after a colleague's reply. No query unless the workspace uses that rule. */
async function afterColleague(
  client: PoolClient,
  campaign: ClaimedCampaign,
  waiting: WaitingLead[],
  now: Date,
): Promise<Awaited<ReturnType<typeof leadsAfterColleague>>> {
  if (campaign.colleague_reply_days === 0) return new Map()
  const ids = waiting.map((lead) => lead.campaign_lead_id)
  return leadsAfterColleague(client, campaign, ids, now)
}

async function compose(
  client: PoolClient,
  campaign: DueCampaign,
  plan: Plan,
  waiting: WaitingLead[],
  { mailboxes, accounts }: { mailboxes: MailboxRow[]; accounts: AccountRow[] },
  now: Date,
): Promise<Claimed[]> {
  if (plan.actions.length === 0) return []
  const byIndex = new Map(waiting.map((lead) => [lead.lead_index, lead]))
  const mailboxById = new Map(mailboxes.map((mailbox) => [mailbox.mailbox_id, mailbox]))
  const accountById = new Map(accounts.map((account) => [account.account_id, account]))
  const planned = plan.actions.map((action): Planned | PlannedSocial => {
    const lead = byIndex.get(action.lead_index)
    const mailbox = mailboxById.get(action.sender_id)
    const account = accountById.get(action.sender_id)
    if (lead && mailbox) return { ...action, lead, mailbox, action_id: uuidv7(now) }
    if (lead && account) return { ...action, lead, account, action_id: uuidv7(now) }
    throw new Error(`the plan names lead ${action.lead_index}, which was not loaded`)
  })
  const retries = await retriedActions(client, planned)
  const texts = await loadTexts(
    client,
    campaign,
    planned.map((action) => action.lead),
  )
  return inTurns(planned, { most: COMPOSED_IN_A_TURN }, (action) => {
    const retry = retries.get(action.lead.campaign_lead_id)
    return 'account' in action
      ? composeSocial(campaign, { ...action, ...retry }, texts)
      : composeAction(campaign, { ...action, ...retry }, texts)
  })
}

/** Temporarily refused actions keep their ledger row, and with it their Message-ID and their first variant. */
async function retriedActions(client: PoolClient, planned: (Planned | PlannedSocial)[]) {
  // New leads have no ledger row yet; a lead whose first step was tried is active and no longer new.
  const known = planned.filter((action) => !action.lead.is_new)
  if (known.length === 0) return new Map<string, Retried>()
  const { rows } = await client.query<{ campaign_lead_id: string } & Retried>(
    prepared(
      `SELECT a.campaign_lead_id, a.action_id, a.variant_label FROM unnest($1::uuid[], $2::int[]) p (campaign_lead_id, step)
     JOIN actions a ON a.campaign_lead_id = p.campaign_lead_id AND a.step = p.step
     WHERE a.status = 'retry'`,
      [known.map((action) => action.lead.campaign_lead_id), known.map((action) => action.step)],
    ),
  )
  return new Map(
    rows.map(({ campaign_lead_id, ...retried }) => [campaign_lead_id, retried satisfies Retried]),
  )
}

type Retried = Required<Pick<Planned, 'action_id' | 'variant_label'>>
