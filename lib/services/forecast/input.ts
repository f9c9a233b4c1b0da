import type { Reader } from '#lib/db/client'
import type { ForecastInput } from '#lib/domain/forecast/forecast'
import type { Sender } from '#lib/domain/sending/sender-limits'
import { countedDays, countsAlike } from '#lib/services/campaigns/days/counted-days'
import { awayLeads, openLeads, waitingLeads } from '#lib/services/forecast/leads'
import { waitingAfterColleague } from '#lib/services/leads/colleagues'
import { timezonesOfLeads } from '#lib/services/leads/rows/clocks'
import { connectedAccounts } from '#lib/services/senders/accounts/account-rows'
import { connectedMailboxes, loadSenders } from '#lib/services/senders/mailbox-rows'
import { loadRotation } from '#lib/services/senders/member-rotation'
import { heldCounts } from '#lib/services/sending/approved-texts'
import { campaignPace, campaignPaceState, campaignRules, type DueCampaign } from '#lib/services/sending/load'
import { type HeldTexts, heldTexts, isHeldAt } from '#lib/services/sending/missing-texts'
import { providersOfCampaign } from '#lib/services/sending/providers/recipient-providers'

/** The fields of a campaign that a forecast depends on; the campaign may be stored or an unsaved body. */
export type Forecastable = Omit<DueCampaign, 'status' | 'launched_at'> & { launched_at: Date | null }

/** Builds the forecast's input from a launched campaign's current state. */
export async function inputFromState(
  reader: Reader,
  campaign: Forecastable,
  startsAt: Date,
  now: Date,
  /**
   * The campaign as saved, if `campaign` is an unsaved edit: actions sent under the saved windows are counted
   * by the new ones.
   */
  before: Forecastable = campaign,
  /** Whether held leads are to be checked again, as saving the edit would do. */
  releases = false,
): Promise<ForecastInput> {
  const [
    { pending, out_of_reach },
    senders,
    pace,
    begun,
    { away, left },
    afterColleague,
    providers,
    timezones,
  ] = await Promise.all([
    // The slowest of these reads, so it begins first.
    openLeads(reader, campaign),
    loadConnectedSenders(reader, campaign, now),
    loadPace(reader, campaign, before, now),
    waitingLeads(reader, campaign, releases ? now : null),
    awayLeads(reader, campaign.campaign_id, startsAt),
    waitingAfterColleague(reader, campaign, startsAt),
    providersOfCampaign(reader, campaign, now),
    timezonesOfLeads(reader, campaign),
  ])
  const newLeads = left.size === 0 ? pending : pending.filter((lead) => !left.has(lead))
  const followUps = left.size === 0 ? begun : begun.filter(({ lead_index }) => !left.has(lead_index))
  const [held, waiting] = await Promise.all([
    heldTexts(reader, campaign, [...newLeads, ...followUps.map((lead) => lead.lead_index)]),
    releases ? new Map<string, number>() : heldCounts(reader, [campaign]),
  ])
  return {
    campaign: await launchedRules(campaign, campaign.launched_at ?? startsAt),
    pace,
    senders,
    ...(await loadRotation(reader, campaign, senders)),
    owner_timezone: campaign.owner_timezone,
    ...withoutHeld(held, { new_leads: newLeads, follow_ups: followUps }, waiting.get(campaign.campaign_id)),
    out_of_reach,
    away,
    left_leads: left.size,
    after_colleague: afterColleague,
    ...providers,
    ...timezones,
    starts_at: startsAt.getTime(),
  }
}

async function loadPace(reader: Reader, campaign: Forecastable, before: Forecastable, now: Date) {
  if (countsAlike(before, campaign)) return campaignPace(reader, campaign)
  const [last] = await countedDays(reader, before, campaign, now)
  return campaignPaceState(campaign, last)
}

type Queues = Pick<ForecastInput, 'new_leads' | 'follow_ups'>

/**
 * Removes leads from the queues that would wait for a text at once. A lead that would wait at a later step is
 * left out from that step on.
 */
export function withoutHeld(held: HeldTexts[], { new_leads, follow_ups }: Queues, waiting = 0) {
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

export const launchedRules = (campaign: Forecastable, launchedAt: Date) =>
  campaignRules({ ...campaign, launched_at: launchedAt })

export async function loadConnectedSenders(
  reader: Reader,
  campaign: Forecastable,
  now: Date,
): Promise<Sender[]> {
  const accounts = await connectedAccounts(reader, campaign)
  return loadSenders(reader, campaign, await connectedMailboxes(reader, campaign), now, accounts)
}
