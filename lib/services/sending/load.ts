import type { PoolClient } from 'pg'
import type { StepConfig } from '#lib/contracts/campaigns/steps'
import type { Reader } from '#lib/db/client'
import { prepared } from '#lib/db/prepared'
import type { ScheduleTimezone, SendDay, SendingWindow } from '#lib/domain/calendar/schedule'
import { formatDay, loadZone, toDay } from '#lib/domain/calendar/zoned-time'
import { asPerformed } from '#lib/domain/campaigns/campaign-type'
import type { SenderRotation, Shares } from '#lib/domain/campaigns/sender-rotation'
import { asksForRelation, NO_FACTS } from '#lib/domain/campaigns/step-conditions'
import type { RecipientProvider } from '#lib/domain/domains/recipient-provider'
import type { LeadReason } from '#lib/domain/leads/lead-reasons'
import type { ContactGate, ContactRules } from '#lib/domain/sending/contact-hold'
import type { DispatchInput, FollowUp, Lane } from '#lib/domain/sending/dispatch-state'
import type { PaceState } from '#lib/domain/sending/pacing'
import type { Sender } from '#lib/domain/sending/sender-limits'
import { loadHolidays } from '#lib/services/campaigns/days/holidays'
import { factsOfLeads } from '#lib/services/leads/facts'
import { listsNames } from '#lib/services/leads/on-list'
import { type AccountRow, type DaysOfSenders, senderOfAccount } from '#lib/services/senders/account-rows'
import { loadRotation } from '#lib/services/senders/member-rotation'
import { loadRampDays, rampOfMailbox } from '#lib/services/senders/ramp/ramp-days'
import { type Failing, senderFailure } from '#lib/services/senders/sender-failures'
import { outOfReach } from '#lib/services/sending/out-of-reach'
export type DueCampaign = {
  campaign_id: string
  workspace_id: string
  dataset_id: string
  status: 'active' | 'draining'
  timezone: string
  /** Whose clock its windows are read by. */
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
  /** What members got so far, in parts of a lead. */
  member_shares: Shares
  match_providers: boolean
  /** Why it does not wait for other campaigns; null: it does. */
  contact_policy_override: string | null
  /** Who gets a copy of each mail. */
  bcc_address: string | null
  launched_at: Date
  last_action_at: Date | null
  last_action_lead_index: number | null
  last_action_step: number | null
}

/** With what only a claim asks of its workspace. */
export type ClaimedCampaign = DueCampaign &
  ContactRules & {
    colleague_reply_days: number
    /** Whether its list, or its parent's, has profiles or telephone numbers. */
    lists_names: boolean
  }

export type MailboxRow = Failing & {
  mailbox_id: string
  address: string
  name: string | null
  smtp: { host: string; port: number; security: 'none' | 'starttls' | 'tls'; username: string | null }
  smtp_password: string | null
  /** Signs in by what Google or Microsoft granted, see lib/services/senders/grants. */
  by_oauth?: boolean
  /** Who granted that. */
  vendor?: string | null
  signature: string | null
  reply_to?: string | null
  daily_limit: number
  min_interval_seconds: number
  ramp_up: { start: number; increase_per_day: number; by_health?: boolean } | null
  ramp_up_started_at: Date
  last_action_at: Date | null
  last_error?: string | null
  /** Whether its owner wants what leaves in its Sent folder. */
  save_sent?: boolean
  /** Whether anybody can read what comes into it; when that was done last, and what stood in the way. */
  is_read?: boolean
  inbox_polled_at?: Date | null
  inbox_error?: string | null
  /** Whether the last reading left mail for the next one. */
  inbox_behind?: boolean
  /** The key that its mail is signed with, sealed; null where its domain has none that receivers would find. */
  dkim?: { domain: string; selector: string; private_key: string } | null
  /** Where its bounces go instead of to itself: the host of signed addresses. */
  bounce_host?: string | null
  /** The name of its domain that leads to this instance, for tracked links. */
  tracking_host?: string | null
  /** Until when it writes to nobody at a provider, over or not. */
  provider_pauses?: Partial<Record<RecipientProvider, number>> | null
}

export type WaitingLead = {
  campaign_lead_id: string
  lead_index: number
  /** Null for a lead that is known by its profile only. */
  email: string | null
  /** Null where the row says neither address nor profile. */
  person_id: string | null
  company_id: string | null
  /** A step was taken for it. */
  has_begun: boolean
  data: Record<string, unknown>
  /** The step it waits for. */
  next_step: number
  due_at: Date
  mailbox_id: string | null
  connected_account_id: string | null
  social_profile: string | null
  /** Why its profile leads nowhere. */
  social_problem: string | null
  social_provider_id: string | null
  thread_message_id: string | null
  thread_subject: string | null
  is_new: boolean
  suppressed: boolean
  /** In another campaign, and the contact policy ends them for it. */
  replied_elsewhere: boolean
  /** By whose clock it lives, where leads keep their own; else null. */
  timezone: string | null
  /** Until when its person is, or was, away. */
  away_until: Date | null
  /** Why it waits already. */
  reason: LeadReason | null
  /** It waits for an end in another campaign, or of a colleague, and was not woken. */
  is_asleep: boolean
}

/** The heads of the queues, and which of them go on behind what was loaded. */
export type WaitingLeads = {
  followUps: WaitingLead[]
  newLeads: WaitingLead[]
  cut: { new_leads: boolean; lanes: Lane[] }
  /** Null: the campaign's clock counts for everybody. */
  clocks: LeadClocks | null
}

/** The zones that have leads: those in a window, of which they were loaded, and the others. */
export type LeadClocks = Required<DispatchInput>['clocks']

const BCC_ADDRESS = `CASE WHEN c.bcc_address IS NOT NULL AND NOT EXISTS (SELECT 1 FROM effective_suppressions s
    WHERE s.workspace_id = c.workspace_id AND s.value IN (c.bcc_address, '@' || split_part(c.bcc_address, '@', 2)))
  THEN c.bcc_address END AS bcc_address`

// Named, never `*`: a statement that was prepared before a migration added a column would be refused after it.
const CAMPAIGN = `c.campaign_id, c.workspace_id, c.dataset_id, c.status, c.timezone, c.schedule_timezone, c.daily_limit, c.min_interval_seconds,
  c.sending_window_start, c.sending_window_end, c.sending_windows, c.open_from, c.open_until, c.holiday_country, c.holiday_region, c.send_days, c.steps_config, c.alias_ids, c.connected_account_id, c.sender_rotation, c.member_shares, c.match_providers,
  c.unreviewed_launch_policy, c.contact_policy_override, c.launched_at, ${BCC_ADDRESS},
  c.last_action_at, c.last_action_lead_index, c.last_action_step`

/**
 * Locks the campaign whose slot is longest due (ties: the lowest id). Whoever else has it locked is at work on it, and the others
 * of its workspace have their turns after it: they share senders and people, so their order is a part of the forecast.
 */
export async function lockDueCampaign(
  client: PoolClient,
  now: Date,
  /** Those that are waited for elsewhere. */
  except: string[] = [],
): Promise<ClaimedCampaign | null> {
  const { rows } = await client.query<ClaimedCampaign>(
    prepared(
      `SELECT ${CAMPAIGN}, w.timezone AS owner_timezone, w.one_campaign_at_a_time, w.company_max_active, w.rest_days,
       w.colleague_reply_days, ${listsNames('c.workspace_id')} AS lists_names
     FROM campaigns c JOIN workspaces w USING (workspace_id)
     WHERE c.status IN ('active', 'draining') AND c.next_slot_at <= $1
       AND NOT c.campaign_id = ANY ($2)
       AND NOT EXISTS (SELECT 1 FROM campaigns o WHERE o.workspace_id = c.workspace_id
         AND o.status IN ('active', 'draining') AND o.next_slot_at <= $1 AND o.next_slot_at <= c.next_slot_at
         AND (o.next_slot_at, o.campaign_id) < (c.next_slot_at, c.campaign_id) AND NOT o.campaign_id = ANY ($2))
     ORDER BY c.next_slot_at, c.campaign_id LIMIT 1 FOR NO KEY UPDATE OF c SKIP LOCKED`,
      [now, except],
    ),
  )
  const [row] = rows
  return row ? { ...row, steps_config: asPerformed(row.steps_config) } : null
}

type SendsFrom = Pick<DueCampaign, 'workspace_id' | 'alias_ids'>

const MAILBOXES = `SELECT m.mailbox_id, m.address, m.name, m.smtp, m.smtp_password, g.mailbox_id IS NOT NULL AS by_oauth, g.vendor, m.signature, m.reply_to, m.daily_limit,
    m.min_interval_seconds, m.ramp_up, m.ramp_up_started_at, m.last_action_at,
    m.status, m.last_error, m.failing_cause, m.failing_tries, m.next_try_at,
    m.save_sent, m.imap IS NOT NULL AS is_read, m.inbox_polled_at, m.inbox_error, m.inbox_behind,
    CASE WHEN k.key_id IS NOT NULL THEN
      jsonb_build_object('domain', d.domain, 'selector', k.selector, 'private_key', k.private_key) END AS dkim,
    CASE WHEN d.bounce_address AND d.checks #>> '{return_path_mx,status}' = 'found'
      AND d.checks #>> '{return_path_spf,status}' = 'found' THEN 'bounce.' || d.domain END AS bounce_host,
    CASE WHEN d.checks #>> '{tracking,status}' = 'found' THEN 'track.' || d.domain END AS tracking_host,
    (SELECT jsonb_object_agg(p.provider, (extract(epoch FROM p.until) * 1000)::float8) FROM provider_pauses p
      WHERE p.mailbox_id = m.mailbox_id) AS provider_pauses
  FROM mailboxes m
  LEFT JOIN mailbox_grants g ON g.mailbox_id = m.mailbox_id
  LEFT JOIN mail_domains d ON d.workspace_id = m.workspace_id AND d.domain = split_part(m.address, '@', -1)
  LEFT JOIN domain_keys k ON k.domain_id = d.domain_id AND k.state = 'signing' AND k.found_at IS NOT NULL
  WHERE m.workspace_id = $1 AND ($2::uuid[] IS NULL OR m.mailbox_id = ANY ($2))
  ORDER BY m.mailbox_id`

/**
 * The mailboxes of the campaign, locked in one order: other campaigns may send from them too. Those that cannot send at the
 * moment are among them, since they are tried again.
 */
export async function lockMailboxes(client: PoolClient, campaign: SendsFrom): Promise<MailboxRow[]> {
  const { rows } = await client.query<MailboxRow>(
    prepared(`${MAILBOXES} FOR NO KEY UPDATE OF m`, [campaign.workspace_id, campaign.alias_ids]),
  )
  return rows
}

/** The same for those who only look. */
export async function connectedMailboxes(reader: Reader, campaign: SendsFrom): Promise<MailboxRow[]> {
  const { rows } = await reader.query<MailboxRow>(MAILBOXES, [campaign.workspace_id, campaign.alias_ids])
  return rows
}

/** Their limits and what left from them on the owner's last seven local dates. */
export async function loadSenders(
  client: Reader,
  campaign: Pick<DueCampaign, 'owner_timezone' | 'workspace_id'>,
  mailboxes: MailboxRow[],
  now: Date,
  accounts: AccountRow[] = [],
): Promise<Sender[]> {
  const today = toDay(loadZone(campaign.owner_timezone), now.getTime())
  const { rows } = await client.query<DaysOfSenders[number]>(
    prepared(
      `SELECT sender_id, to_char(local_date, 'YYYY-MM-DD') AS date, action_type, used FROM sender_days
     WHERE sender_id = ANY ($1) AND local_date > $2`,
      [
        [...mailboxes.map((row) => row.mailbox_id), ...accounts.map((row) => row.account_id)],
        formatDay(today - 7),
      ],
    ),
  )
  const ramps = await loadRampDays(client, campaign, mailboxes, now)
  const fromMailboxes = mailboxes.map(
    (row): Sender => ({
      sender_id: row.mailbox_id,
      channel: 'email',
      daily_limit: row.daily_limit,
      min_interval_seconds: row.min_interval_seconds,
      ...rampOfMailbox(row, ramps.get(row.mailbox_id), campaign.owner_timezone),
      action_limits: {},
      failing: senderFailure(row, row.address, row.last_error),
      last_action_at: row.last_action_at?.getTime() ?? null,
      used: rows
        .filter((day) => day.sender_id === row.mailbox_id)
        .map(({ date, action_type, used }) => ({ date, action_type, count: used })),
    }),
  )
  return [...fromMailboxes, ...accounts.map((row) => senderOfAccount(row, rows))]
}

/** Who waits by the contact policy of the workspace. */
type ContactInput = Required<Pick<DispatchInput, 'after_colleague'>> & {
  contact: ContactGate | null
  providers: Pick<DispatchInput, 'provider_pauses' | 'provider_matching'>
}

/** What the policy decides on, from what the database says. */
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
  // Whom no account has met may be connected with it: that is found out just before the offer.
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
    // Also where only mail is left: an edit may have taken the steps out for which a lead without an address was enrolled.
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

/** What the campaign has done so far, as far as its next slot depends on it. */
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
