import type { PoolClient } from 'pg'
import type { StepConfig } from '#lib/contracts/campaigns/steps'
import type { Reader } from '#lib/db/client'
import { prepared } from '#lib/db/prepared'
import type { ScheduleTimezone, SendDay, SendingWindow } from '#lib/domain/calendar/schedule'
import { asPerformed } from '#lib/domain/campaigns/campaign-type'
import type { SenderRotation, Shares } from '#lib/domain/campaigns/sender-rotation'
import { asksForRelation, NO_FACTS } from '#lib/domain/campaigns/step-conditions'
import type { LeadReason } from '#lib/domain/leads/lead-reasons'
import type { ContactGate, ContactRules } from '#lib/domain/sending/contact-hold'
import type { DispatchInput, FollowUp, Lane } from '#lib/domain/sending/dispatch-state'
import type { PaceState } from '#lib/domain/sending/pacing'
import type { Sender } from '#lib/domain/sending/sender-limits'
import { loadHolidays } from '#lib/services/campaigns/days/holidays'
import { factsOfLeads } from '#lib/services/leads/facts'
import { listsNames } from '#lib/services/leads/on-list'
import { loadRotation } from '#lib/services/senders/member-rotation'
import { outOfReach } from '#lib/services/sending/out-of-reach'

export type DueCampaign = {
  campaign_id: string
  workspace_id: string
  dataset_id: string
  status: 'active' | 'draining'
  timezone: string
  /** Whether sending windows follow the campaign's clock or each lead's. */
  schedule_timezone: ScheduleTimezone
  owner_timezone: string
  daily_limit: number
  min_interval_seconds: number
  sending_window_start: string
  sending_window_end: string
  sending_windows: SendingWindow[] | null
  open_from: Date | null
  open_until: Date | null
  holiday_country: string | null
  holiday_region: string | null
  send_days: SendDay[]
  steps_config: StepConfig[]
  alias_ids: string[] | null
  /** What an AI step does for a lead without an approved text. */
  unreviewed_launch_policy: 'launch_default' | 'hold' | 'cancel'
  connected_account_id: string | null
  sender_rotation: SenderRotation
  /** How many leads each member got so far; a lead of a shared sender counts in parts. */
  member_shares: Shares
  match_providers: boolean
  /** Set if the campaign ignores the contact policy: the reason its owner gave. */
  contact_policy_override: string | null
  /** Gets a blind copy of each mail. */
  bcc_address: string | null
  launched_at: Date
  last_action_at: Date | null
  last_action_lead_index: number | null
  last_action_step: number | null
}

/** A due campaign with the workspace settings that only a claim needs. */
export type ClaimedCampaign = DueCampaign &
  ContactRules & {
    colleague_reply_days: number
    /** Whether the suppression list, or the parent's, has profiles or telephone numbers. */
    lists_names: boolean
  }

export type WaitingLead = {
  campaign_lead_id: string
  lead_index: number
  /** Null for a lead known only by its profile. */
  email: string | null
  /** Null if the row has neither an address nor a profile. */
  person_id: string | null
  company_id: string | null
  /** Whether any step was performed. */
  has_begun: boolean
  data: Record<string, unknown>
  /** The step it waits for. */
  next_step: number
  due_at: Date
  mailbox_id: string | null
  connected_account_id: string | null
  social_profile: string | null
  /** Why its profile cannot be used. */
  social_problem: string | null
  social_provider_id: string | null
  thread_message_id: string | null
  thread_subject: string | null
  is_new: boolean
  suppressed: boolean
  /** The person replied in another campaign, and the contact policy ends this lead for it. */
  replied_elsewhere: boolean
  /** Whether the person has left and the contact policy therefore ends this lead. */
  has_left: boolean
  /** The lead's own time zone, if the campaign's windows follow the leads' clocks; else null. */
  timezone: string | null
  /** The end of the person's latest absence, which may be past. */
  away_until: Date | null
  /** Why it was made to wait, if it was. */
  reason: LeadReason | null
  /** It waits for another campaign or a colleague to end, and was not woken yet. */
  is_asleep: boolean
}

/** The heads of the queues, and which queues continue beyond what was loaded. */
export type WaitingLeads = {
  followUps: WaitingLead[]
  newLeads: WaitingLead[]
  cut: { new_leads: boolean | 'later'; lanes: Lane[] }
  /** Null if all leads follow the campaign's clock. */
  clocks: LeadClocks | null
}

/** The leads' time zones: open ones, from which leads were loaded, and closed ones. */
export type LeadClocks = Required<DispatchInput>['clocks']

const BCC_ADDRESS = `CASE WHEN c.bcc_address IS NOT NULL AND NOT EXISTS (SELECT 1 FROM effective_suppressions s
    WHERE s.workspace_id = c.workspace_id AND s.value IN (c.bcc_address, '@' || split_part(c.bcc_address, '@', 2)))
  THEN c.bcc_address END AS bcc_address`

// Never `*`: Postgres refuses a prepared statement whose result gained a column by a migration.
const CAMPAIGN = `c.campaign_id, c.workspace_id, c.dataset_id, c.status, c.timezone, c.schedule_timezone, c.daily_limit, c.min_interval_seconds,
  c.sending_window_start, c.sending_window_end, c.sending_windows, c.open_from, c.open_until, c.holiday_country, c.holiday_region, c.send_days, c.steps_config, c.alias_ids, c.connected_account_id, c.sender_rotation, c.member_shares, c.match_providers,
  c.unreviewed_launch_policy, c.contact_policy_override, c.launched_at, ${BCC_ADDRESS},
  c.last_action_at, c.last_action_lead_index, c.last_action_step`

/** SQL: due at $1, and not one of the excluded campaigns ($2). */
const isDue = (alias: string) =>
  `${alias}.status IN ('active', 'draining') AND ${alias}.next_slot_at <= $1 AND NOT ${alias}.campaign_id = ANY ($2)`

/**
 * Locks the campaign that has been due longest (ties: the lowest id), skipping campaigns another worker is on. Campaigns of one
 * workspace are claimed strictly in this order: they share senders and people, and the forecast depends on it. The comparison stands
 * inside the subquery because outside it the planner expects one match among all due campaigns, and reads them all.
 */
export async function lockDueCampaign(
  client: PoolClient,
  now: Date,
  /** Campaigns whose mailboxes are being read first. */
  except: string[] = [],
): Promise<ClaimedCampaign | null> {
  const { rows } = await client.query<ClaimedCampaign>(
    prepared(
      `SELECT ${CAMPAIGN}, w.timezone AS owner_timezone, w.one_campaign_at_a_time, w.company_max_active, w.rest_days,
       w.colleague_reply_days, ${listsNames('c.workspace_id')} AS lists_names
     FROM campaigns c JOIN workspaces w USING (workspace_id)
     WHERE ${isDue('c')} AND (SELECT o.campaign_id = c.campaign_id FROM campaigns o WHERE o.workspace_id = c.workspace_id
       AND ${isDue('o')} ORDER BY o.next_slot_at, o.campaign_id LIMIT 1)
     ORDER BY c.next_slot_at, c.campaign_id LIMIT 1 FOR NO KEY UPDATE OF c SKIP LOCKED`,
      [now, except],
    ),
  )
  const [row] = rows
  return row ? { ...row, steps_config: asPerformed(row.steps_config) } : null
}

/** Leads that must wait: by the contact policy, after a colleague's reply, or for a mail provider. */
type ContactInput = Required<Pick<DispatchInput, 'after_colleague'>> & {
  contact: ContactGate | null
  providers: Pick<DispatchInput, 'provider_pauses' | 'provider_matching'>
}

/** Builds the dispatch policy's input from the database. */
export async function dispatchInput(
  client: PoolClient,
  campaign: DueCampaign,
  senders: Sender[],
  leads: WaitingLeads,
  { contact, after_colleague, providers }: ContactInput,
): Promise<DispatchInput> {
  const facts = await factsOfLeads(
    client,
    campaign,
    leads.followUps.map((lead) => lead.campaign_lead_id),
  )
  // A person no account has looked up yet may be connected already: that is checked just before the offer.
  const unknown = asksForRelation(campaign.steps_config) ? { ...NO_FACTS, connected: null } : NO_FACTS
  return {
    campaign: await campaignRules(campaign),
    pace: await campaignPace(client, campaign),
    senders,
    ...(await loadRotation(client, campaign, senders)),
    owner_timezone: campaign.owner_timezone,
    follow_ups: leads.followUps.map(
      (lead): FollowUp => ({
        lead_index: lead.lead_index,
        step: lead.next_step,
        due_at: lead.due_at.getTime(),
        mailbox_id: lead.mailbox_id,
        account_id: lead.connected_account_id,
        facts: facts.get(lead.lead_index) ?? unknown,
      }),
    ),
    unknown,
    // Needed for mail-only campaigns too: an edit may have removed the steps for which a lead without an address was enrolled.
    out_of_reach: outOfReach([...leads.followUps, ...leads.newLeads]),
    away: awayUntil([...leads.followUps, ...leads.newLeads]),
    after_colleague,
    ...providers,
    ...(contact && { contact }),
    new_leads: leads.newLeads.map((lead) => lead.lead_index),
    cut: leads.cut,
    ...(leads.clocks && { clocks: leads.clocks, timezone_of: zonesByLead(leads) }),
  }
}

function zonesByLead({ followUps, newLeads }: WaitingLeads) {
  const zones = new Map([...followUps, ...newLeads].map((lead) => [lead.lead_index, lead.timezone]))
  return (lead_index: number) => zones.get(lead_index) ?? null
}

const awayUntil = (leads: WaitingLead[]): ReadonlyMap<number, number> =>
  new Map(
    leads.flatMap(({ lead_index, away_until }) =>
      away_until ? [[lead_index, away_until.getTime()] as const] : [],
    ),
  )

export async function campaignRules(
  campaign: Omit<DueCampaign, 'status'>,
): Promise<DispatchInput['campaign']> {
  return {
    ...campaign,
    holidays: await loadHolidays(campaign),
    launched_at: campaign.launched_at.getTime(),
  }
}

type LastAction = Pick<
  DueCampaign,
  'campaign_id' | 'last_action_at' | 'last_action_lead_index' | 'last_action_step'
>

/** The part of the campaign's past that its next slot depends on. */
export async function campaignPace(client: Reader, campaign: LastAction): Promise<PaceState> {
  const { rows: days } = await client.query<{ window_day: string; used: number }>(
    prepared(
      `SELECT to_char(window_day, 'YYYY-MM-DD') AS window_day, used FROM campaign_days
     WHERE campaign_id = $1 ORDER BY campaign_days.window_day DESC LIMIT 1`,
      [campaign.campaign_id],
    ),
  )
  return campaignPaceState(campaign, days[0])
}

export function campaignPaceState(
  { last_action_at, last_action_lead_index, last_action_step }: Omit<LastAction, 'campaign_id'>,
  day: { window_day: string; used: number } | undefined,
): PaceState {
  return {
    last_action: last_action_at && {
      at: last_action_at.getTime(),
      lead_index: last_action_lead_index ?? 0,
      step: last_action_step ?? 1,
    },
    window_day: day?.window_day ?? null,
    window_day_count: day?.used ?? 0,
  }
}
