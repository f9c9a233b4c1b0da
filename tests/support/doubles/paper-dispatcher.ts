import { compileSchedule, windowAt } from '#lib/domain/calendar/schedule'
import { formatDay, loadZone, toDay } from '#lib/domain/calendar/zoned-time'
import { newDueAt } from '#lib/domain/sending/clock-groups'
import { planDispatch, type SkippedStep } from '#lib/domain/sending/dispatch-policy'
import type { CampaignRules, DispatchInput, FollowUp, Lane } from '#lib/domain/sending/dispatch-state'
import type { Rotation } from '#lib/domain/sending/member-rotation'
import type { PaceState } from '#lib/domain/sending/pacing'
import type { ProviderMatching } from '#lib/domain/sending/provider-matching'
import type { Sender } from '#lib/domain/sending/sender-limits'

/** A dispatcher that keeps its tables in memory: it loads the first rows of each lane, plans, and stores, as the real one does over SQL. */
export interface Paper {
  campaign: CampaignRules
  pace: PaceState
  senders: Sender[]
  rotation?: Rotation
  matching?: ProviderMatching
  owner_timezone: string
  /** By lead_index, where the schedule follows each lead's time zone. */
  timezones?: (string | null)[]
  /** A lead before its first step has no row of its own here. */
  new_leads: number[]
  waiting: FollowUp[]
}

export interface Performed {
  lead_index: number
  step: number
  at: number
  sender_id: string
}

export const clockName = ({ campaign, timezones }: Paper, lead_index: number): string =>
  (campaign.schedule_timezone === 'lead' && timezones?.[lead_index]) || campaign.timezone

/**
 * What is loaded of a campaign for one claim: at most `cap` leads of each lane, whether they are due or not. Where the schedule
 * follows each lead's time zone, leads whose window is closed are not loaded and only counted as existing. Without `now` all are loaded.
 */
export function load(paper: Paper, cap: number, now?: number): DispatchInput {
  const isClosed = (lead_index: number) =>
    now !== undefined &&
    paper.campaign.schedule_timezone === 'lead' &&
    !windowAt(compileSchedule({ ...paper.campaign, timezone: clockName(paper, lead_index) }), now)
  const waiting = paper.waiting.filter((lead) => !isClosed(lead.lead_index))
  // Leads that are due by their own clock come before those that are not.
  const isLater = (lead: number) =>
    now !== undefined && newDueAt(paper.campaign, loadZone(clockName(paper, lead))) > now
  const open = paper.new_leads.filter((lead) => !isClosed(lead))
  const new_leads = [...open.filter((lead) => !isLater(lead)), ...open.filter(isLater)]
  const loaded = new_leads.slice(0, cap).toSorted((one, other) => one - other)
  const all = [...paper.waiting.map((lead) => lead.lead_index), ...paper.new_leads]
  const clocks = (leads: number[]) => [...new Set(leads.map((lead) => clockName(paper, lead)))]
  const lanes = new Map<string, { lane: Lane; leads: FollowUp[] }>()
  for (const lead of waiting) {
    const rule = paper.campaign.steps_config[lead.step - 1]
    const lane = {
      sender_id: rule?.channel === 'email' ? lead.mailbox_id : lead.account_id,
      action_type: rule?.action_type ?? '',
    }
    const key = JSON.stringify(lane)
    lanes.set(key, { lane, leads: [...(lanes.get(key)?.leads ?? []), lead] })
  }
  const follow_ups: FollowUp[] = []
  const cut: Lane[] = []
  for (const { lane, leads } of lanes.values()) {
    leads.sort((a, b) => a.due_at - b.due_at || a.lead_index - b.lead_index)
    follow_ups.push(...leads.slice(0, cap))
    if (leads.length > cap) cut.push(lane)
  }
  return {
    campaign: paper.campaign,
    pace: paper.pace,
    senders: paper.senders,
    ...(paper.rotation && { rotation: paper.rotation }),
    ...(paper.matching && { provider_matching: paper.matching }),
    owner_timezone: paper.owner_timezone,
    follow_ups,
    timezone_of: (lead) => clockName(paper, lead),
    new_leads: loaded,
    cut: { new_leads: new_leads.length > cap && (loaded.some(isLater) ? 'later' : true), lanes: cut },
    clocks: { open: clocks(all.filter((lead) => !isClosed(lead))), closed: clocks(all.filter(isClosed)) },
  }
}

/** One claim at `now`; returns when to claim again. */
export function claim(paper: Paper, now: number, cap: number, ledger: Performed[]): number | null {
  const plan = planDispatch(load(paper, cap, now), now, cap)
  const events: (SkippedStep & { sender_id?: string })[] = [...plan.actions, ...plan.skips]
  events.sort((a, b) => a.step - b.step)
  for (const event of events) {
    const known = paper.waiting.find((lead) => lead.lead_index === event.lead_index)
    paper.waiting = paper.waiting.filter((lead) => lead !== known)
    paper.new_leads = paper.new_leads.filter((lead) => lead !== event.lead_index)
    if (!event.next) continue
    const channel = paper.campaign.steps_config[event.step - 1]?.channel
    const sender = event.sender_id
    paper.waiting.push({
      lead_index: event.lead_index,
      ...event.next,
      mailbox_id: sender && channel === 'email' ? sender : (known?.mailbox_id ?? null),
      account_id: sender && channel === 'social' ? sender : (known?.account_id ?? null),
      facts: known?.facts,
    })
  }
  for (const action of plan.actions) {
    ledger.push({
      lead_index: action.lead_index,
      step: action.step,
      at: action.at,
      sender_id: action.sender_id,
    })
    count(paper, action.sender_id, paper.campaign.steps_config[action.step - 1]?.action_type ?? '', action.at)
  }
  paper.pace = plan.pace
  if (paper.rotation && plan.shares) paper.rotation = { ...paper.rotation, shares: plan.shares }
  return plan.next_slot_at
}

/** Claims at each next slot until nothing is left; `turns` only stops a loop that would never end. */
export function runToTheEnd(paper: Paper, from: number, cap: number, turns = 5_000): Performed[] {
  const ledger: Performed[] = []
  let now: number | null = from
  for (let turn = 0; now !== null; turn++) {
    if (turn > turns) throw new Error(`still running after ${turns} claims`)
    now = claim(paper, now, cap, ledger)
  }
  return ledger
}

function count(paper: Paper, senderId: string, action_type: string, at: number): void {
  const date = formatDay(toDay(loadZone(paper.owner_timezone), at))
  paper.senders = paper.senders.map((sender) => {
    if (sender.sender_id !== senderId) return sender
    const used = sender.used.map((row) => ({ ...row }))
    const row = used.find((one) => one.date === date && one.action_type === action_type)
    if (row) row.count++
    else used.push({ date, action_type, count: 1 })
    return { ...sender, used, last_action_at: at }
  })
}
