import type { StepConfig } from '#lib/contracts/campaigns/steps'
import type { Reader } from '#lib/db/client'
import type { Channel } from '#lib/domain/campaigns/step-conditions'
import { type Forecast, type ForecastInput, forecast } from '#lib/domain/forecast/forecast'
import type { OutOfReach } from '#lib/domain/sending/dispatch-state'
import { FRESH_PACE } from '#lib/domain/sending/pacing'
import type { Sender } from '#lib/domain/sending/sender-limits'
import { heldLeadsElsewhere, latest } from '#lib/services/forecast/contact-held'
import { awayLeads, pendingLeads, unreachedLeads, waitingLeads } from '#lib/services/forecast/leads'
import { connectedAccounts } from '#lib/services/senders/account-rows'
import { loadRotation } from '#lib/services/senders/member-rotation'
import { heldCounts } from '#lib/services/sending/approved-texts'
import {
  campaignPace,
  campaignRules,
  connectedMailboxes,
  type DueCampaign,
  loadSenders,
} from '#lib/services/sending/load'
import { type HeldTexts, heldTexts, isHeldAt } from '#lib/services/sending/missing-texts'

/** A campaign as far as a forecast depends on it: a stored one, or the body of one that is not saved. */
export type Forecastable = Omit<DueCampaign, 'status' | 'launched_at'> & { launched_at: Date | null }

/** The leads that a launch would begin with, and those that wait for their texts. */
export type Launched = {
  leads: ArrayLike<number>
  unreached: OutOfReach | null
  held?: HeldTexts[]
  away?: ReadonlyMap<number, number>
}

/** A campaign before its launch: it begins at `startsAt` with these leads. */
export async function forecastBeforeLaunch(
  reader: Reader,
  campaign: Forecastable,
  { leads, unreached, held = [], away = new Map() }: Launched,
  startsAt: Date,
  now: Date,
): Promise<Forecast> {
  const senders = await loadConnectedSenders(reader, campaign, now)
  const supposed = channelsWithoutSender(campaign.steps_config, senders)
  const planned = forecast({
    campaign: await launchedRules(campaign, startsAt),
    pace: FRESH_PACE,
    senders: [...senders, ...supposed.map(supposedSender)],
    ...(await loadRotation(reader, campaign, senders)),
    owner_timezone: campaign.owner_timezone,
    ...withoutHeld(held, { new_leads: leads, follow_ups: [] }),
    ...(unreached ? { out_of_reach: unreached } : {}),
    away,
    starts_at: startsAt.getTime(),
  })
  const warnings = supposed.map((channel) => ({
    code: 'no_sender',
    message: `No connected ${channel === 'email' ? 'mailbox' : 'account'} can take the ${channel} steps; the forecast supposes one without limits of its own.`,
  }))
  return { ...planned, warnings: [...warnings, ...planned.warnings] }
}

/** A launched campaign, from where it stands. One that is paused is taken to be resumed at `startsAt`. */
export async function forecastFromState(
  reader: Reader,
  campaign: Forecastable,
  startsAt: Date,
  now: Date,
): Promise<Forecast> {
  return forecast(await inputFromState(reader, campaign, startsAt, now))
}

/** The same, before it is played. */
export async function inputFromState(
  reader: Reader,
  campaign: Forecastable,
  startsAt: Date,
  now: Date,
): Promise<ForecastInput> {
  const [senders, pace, newLeads, followUps, unreached, absent, elsewhere] = await Promise.all([
    loadConnectedSenders(reader, campaign, now),
    campaignPace(reader, campaign),
    pendingLeads(reader, campaign.campaign_id),
    waitingLeads(reader, campaign),
    unreachedLeads(reader, campaign),
    awayLeads(reader, campaign.campaign_id, startsAt),
    heldLeadsElsewhere(reader, campaign, startsAt),
  ])
  const [held, waiting] = await Promise.all([
    heldTexts(reader, campaign, [...newLeads, ...followUps.map((lead) => lead.lead_index)]),
    heldCounts(reader, [campaign]),
  ])
  return {
    campaign: await launchedRules(campaign, campaign.launched_at ?? startsAt),
    pace,
    senders,
    ...(await loadRotation(reader, campaign, senders)),
    owner_timezone: campaign.owner_timezone,
    ...withoutHeld(held, { new_leads: newLeads, follow_ups: followUps }, waiting.get(campaign.campaign_id)),
    out_of_reach: unreached,
    away: latest(absent, elsewhere),
    starts_at: startsAt.getTime(),
  }
}

type Queues = Pick<ForecastInput, 'new_leads' | 'follow_ups'>

/** Queues without those who would wait for a text at once; who comes to wait later is left out from there on. */
function withoutHeld(held: HeldTexts[], { new_leads, follow_ups }: Queues, waiting = 0) {
  if (held.length === 0) return { new_leads, follow_ups, held_leads: waiting }
  const is_held = isHeldAt(held)
  const meets = (lead: number, from: number) => held.some(({ step }) => step >= from && is_held(lead, step))
  const fresh = Array.from(new_leads)
  const met =
    fresh.filter((lead) => meets(lead, 1)).length +
    follow_ups.filter(({ lead_index, step }) => meets(lead_index, step)).length
  return {
    new_leads: fresh.filter((lead) => !is_held(lead, 1)),
    follow_ups: follow_ups.filter(({ lead_index, step }) => !is_held(lead_index, step)),
    is_held,
    held_leads: waiting + met,
  }
}

const launchedRules = (campaign: Forecastable, launchedAt: Date) =>
  campaignRules({ ...campaign, launched_at: launchedAt })

async function loadConnectedSenders(reader: Reader, campaign: Forecastable, now: Date): Promise<Sender[]> {
  const accounts = await connectedAccounts(reader, campaign)
  return loadSenders(reader, campaign, await connectedMailboxes(reader, campaign), now, accounts)
}

function channelsWithoutSender(steps: readonly StepConfig[], senders: readonly Sender[]): Channel[] {
  const channels = new Set(steps.map((step) => step.channel))
  return [...channels].filter((channel) => !senders.some((sender) => sender.channel === channel))
}

/** Sorts behind every real one and has no limits, so that a campaign can be planned before a mailbox is connected. */
const supposedSender = (channel: Channel): Sender => ({
  sender_id: `supposed ${channel}`,
  channel,
  daily_limit: null,
  min_interval_seconds: 0,
  ramp_up: null,
  ramp_up_started_at: null,
  action_limits: {},
  last_action_at: null,
  used: [],
})
