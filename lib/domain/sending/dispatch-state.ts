import { loadZone, type Zone } from '#lib/domain/calendar/zoned-time'
import { type Channel, type LeadFacts, NO_FACTS, type StepRule } from '#lib/domain/campaigns/step-conditions'
import { type ClockGroup, clockGroups, orderNew } from '#lib/domain/sending/clock-groups'
import type { ContactGate, ContactHold } from '#lib/domain/sending/contact-hold'
import { ANY_SENDER, joinLane, LOST_SENDER, openLane } from '#lib/domain/sending/lanes'
import { findLast } from '#lib/domain/sending/lead-queue'
import { createTurns, type Rotation } from '#lib/domain/sending/member-rotation'
import { compilePace, type Pace, type PaceRules, type PaceState } from '#lib/domain/sending/pacing'
import type { ProviderMatching } from '#lib/domain/sending/provider-matching'
import type { ProviderPauses } from '#lib/domain/sending/provider-pause'
import { type SenderState, senderState } from '#lib/domain/sending/sender-choice'
import { createMeter, type Meter, type Sender } from '#lib/domain/sending/sender-limits'

/** Everything about a campaign that decides who goes next and when. Instants are epoch milliseconds. */
export interface CampaignRules extends PaceRules {
  steps_config: readonly StepRule[]
  /** The delay of the first step counts from here. */
  launched_at: number
  /** Where `holidays` apply. */
  holiday_country?: string | null
  holiday_region?: string | null
}

/** A lead that waits for its next step, or for the same step again after a temporary refusal. */
export interface FollowUp {
  lead_index: number
  /** 1…n. */
  step: number
  due_at: number
  /** The senders the lead keeps; null if it has none for that channel yet. */
  mailbox_id: string | null
  account_id: string | null
  facts?: LeadFacts
  /**
   * Only in a joint forecast: the lead waits until another campaign is done with the person or company,
   * whatever `due_at` says.
   */
  asleep?: 'person_busy' | 'company_busy'
}

/** One queue: leads that wait for one kind of action from one sender (null: from any). */
export interface Lane {
  sender_id: string | null
  action_type: string
}

export type OutOfReach = Readonly<Record<Channel, ReadonlySet<number>>>

export interface DispatchInput {
  campaign: CampaignRules
  pace: PaceState
  /** Connected senders only. */
  senders: readonly Sender[]
  /** Set if new leads are spread over members; otherwise the sender with the most room takes each. */
  rotation?: Rotation
  /** The zone in which the senders count their days. */
  owner_timezone: string
  /** In any order. Each lane is loaded from its front, by (due_at, lead_index), due or not. */
  follow_ups: readonly FollowUp[]
  /** A lead's own time zone, if leads follow their own clocks; null or absent: the campaign's. */
  timezone_of?: (lead_index: number) => string | null
  /** Leads before their first step, by lead_index. */
  new_leads: ArrayLike<number>
  /** The facts assumed for leads that have none of their own; default: they did nothing. */
  unknown?: LeadFacts
  /** Leads, by lead_index, that have no address or no profile: steps of that channel are skipped. */
  out_of_reach?: OutOfReach
  /** Until when people are away, by lead_index. At its turn such a lead is put off until then and takes no slot. */
  away?: ReadonlyMap<number, number>
  /** Leads that must wait because a colleague replied, by lead_index, at whatever step they are. */
  after_colleague?: ReadonlyMap<number, ContactHold>
  /** Senders that are paused for some recipient providers. */
  provider_pauses?: ProviderPauses
  /** Set if new leads go first to a mailbox hosted by their own provider. */
  provider_matching?: ProviderMatching
  /** Decides which leads must wait for other campaigns; absent: none must. */
  contact?: ContactGate
  /** Only in a forecast: whether a lead would be held at a step for an unapproved text. It is left out from that step on. */
  is_held?: (lead_index: number, step: number) => boolean
  /** Queues that were not loaded to their end, over all clocks. `later`: all new leads that are due now were loaded. */
  cut?: { new_leads: boolean | 'later'; lanes: readonly Lane[] }
  /** The zones that have leads: open ones, whose first leads were loaded, and closed ones, of which none was. */
  clocks?: { open: readonly string[]; closed: readonly string[] }
}

/** Marks the point in a queue from which the lane was not loaded. */
export const CUT = -1

/** The state that plans and forecasts run on. A lead is an index ("place") into parallel arrays. */
export interface DispatchState extends SenderState {
  readonly campaign: CampaignRules
  readonly zone: Zone
  readonly pace: Pace
  /** The meters of each action type's channel. */
  readonly served_by: readonly (readonly number[])[]
  /** By step: its index in `action_types`. */
  readonly step_action: readonly number[]
  readonly groups: readonly ClockGroup[]
  readonly lead_index: Float64Array
  /** By place: the clock the lead follows. */
  readonly group_of: Uint16Array
  /** Steps the lead has passed, which is the index of the step it waits for. */
  readonly done: Uint8Array
  /** Index of the lead's meter per channel, or ANY_SENDER, or LOST_SENDER. */
  readonly sender: { readonly email: Int16Array; readonly social: Int16Array }
  readonly facts: readonly LeadFacts[] | null
  readonly unknown: LeadFacts
  readonly out_of_reach: OutOfReach | null
  readonly away: ReadonlyMap<number, number> | null
  readonly after_colleague: ReadonlyMap<number, ContactHold> | null
  readonly contact: ContactGate | null
  readonly is_held: DispatchInput['is_held'] | null
  readonly new_count: number
  /** Clocks whose new leads are due after this instant may have more of them than were loaded. */
  readonly new_cut_after: number
  /** Places of new leads, group by group. */
  readonly new_order: Int32Array
}

/** Senders shared by campaigns that are forecast together: each is counted once, whichever campaign uses it. */
export interface SharedMeters {
  readonly action_types: readonly string[]
  readonly meters: ReadonlyMap<string, Meter>
}

/** All senders of several campaigns of one workspace. */
export function shareMeters(inputs: readonly DispatchInput[]): SharedMeters {
  const action_types = [
    ...new Set(inputs.flatMap(({ campaign }) => campaign.steps_config.map((step) => step.action_type))),
  ]
  const senders = new Map(
    inputs.flatMap(({ senders, owner_timezone }) =>
      senders.map((sender) => [sender.sender_id, { sender, owner_timezone }]),
    ),
  )
  const meters = [...senders].map(
    ([id, { sender, owner_timezone }]) =>
      [id, createMeter(sender, action_types, loadZone(owner_timezone))] as const,
  )
  return { action_types, meters: new Map(meters) }
}

/** `now` is the earliest instant that will be asked about; counters of earlier dates are not needed. */
export function buildDispatchState(input: DispatchInput, now: number, shared?: SharedMeters): DispatchState {
  const { campaign, follow_ups, new_leads } = input
  const ownerZone = loadZone(input.owner_timezone)
  const action_types = [...new Set(campaign.steps_config.map((step) => step.action_type))]
  const meters = [...input.senders]
    .sort((a, b) => (a.sender_id < b.sender_id ? -1 : 1))
    .map((sender) => shared?.meters.get(sender.sender_id) ?? createMeter(sender, action_types, ownerZone))
  const zone = loadZone(campaign.timezone)
  const count = new_leads.length + follow_ups.length
  const clocks = clockGroups(campaign, { meters: meters.length, kinds: action_types.length })
  const lead_index = new Float64Array(count)
  for (let place = 0; place < new_leads.length; place++) lead_index[place] = new_leads[place] ?? 0
  for (const [offset, lead] of follow_ups.entries()) lead_index[new_leads.length + offset] = lead.lead_index
  const group_of = new Uint16Array(count)
  for (let place = 0; place < count; place++)
    group_of[place] = clocks.toGroup(input.timezone_of?.(lead_index[place] ?? -1) ?? null)
  for (const timezone of input.clocks?.open ?? []) clocks.toGroup(timezone)
  for (const timezone of input.clocks?.closed ?? []) clocks.addUnloaded(timezone)
  const action_channels = action_types.map(
    (type) => campaign.steps_config.find((step) => step.action_type === type)?.channel ?? 'email',
  )
  const senders = {
    meters,
    turns: input.rotation ? createTurns(input.rotation, meters) : null,
    provider_pauses: input.provider_pauses ?? null,
    provider_matching: input.provider_matching ?? null,
    action_types,
    action_channels,
    counted_as: action_types.map((type) => (shared?.action_types ?? action_types).indexOf(type)),
  }
  const state: DispatchState = {
    ...senderState(senders, now),
    campaign,
    zone,
    pace: compilePace(campaign, input.pace),
    served_by: action_channels.map((channel) =>
      meters.flatMap((meter, index) => (meter.channel === channel ? [index] : [])),
    ),
    step_action: campaign.steps_config.map((step) => action_types.indexOf(step.action_type)),
    groups: clocks.groups,
    lead_index,
    group_of,
    done: new Uint8Array(count),
    sender: { email: new Int16Array(count).fill(ANY_SENDER), social: new Int16Array(count).fill(ANY_SENDER) },
    facts: follow_ups.some((lead) => lead.facts && lead.facts !== NO_FACTS)
      ? follow_ups.map((lead) => lead.facts ?? NO_FACTS)
      : null,
    unknown: input.unknown ?? NO_FACTS,
    out_of_reach: input.out_of_reach ?? null,
    away: input.away && input.away.size > 0 ? input.away : null,
    after_colleague: input.after_colleague && input.after_colleague.size > 0 ? input.after_colleague : null,
    contact: input.contact ?? null,
    is_held: input.is_held ?? null,
    new_count: new_leads.length,
    new_cut_after: cutAfter(input.cut?.new_leads ?? false, now),
    new_order: orderNew(clocks.groups, group_of, new_leads.length),
  }
  placeFollowUps(state, follow_ups)
  for (const lane of input.cut?.lanes ?? []) markCut(state, lane)
  return state
}

function cutAfter(cut: boolean | 'later', now: number): number {
  if (cut === 'later') return now
  return cut ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
}

/** Puts a lead into the queue of the step it waits for. */
export function enqueue(state: DispatchState, place: number, due: number): void {
  // The end of this wait is unknown. The code that learns of it enqueues the lead again.
  if (due === Number.POSITIVE_INFINITY) return
  const step = state.done[place] ?? 0
  if (state.is_held?.(state.lead_index[place] ?? -1, step + 1)) {
    state.done[place] = state.campaign.steps_config.length
    return
  }
  const action = state.step_action[step]
  const channel = state.campaign.steps_config[step]?.channel
  if (action === undefined || !channel) return
  const sender = state.sender[channel][place] ?? ANY_SENDER
  const group = state.groups[state.group_of[place] ?? 0]
  if (!group || group.is_unloaded) return
  const lane = openLane(group.lanes, sender, action)
  joinLane(group.lanes, lane, state.ready, { due, rank: state.lead_index[place] ?? 0, place })
}

/** Counts leads whose sender is not connected; they wait until it is. */
export function leadsWithoutSender(state: DispatchState): number {
  const lanes = state.groups.flatMap((group) => group.lanes.all)
  return lanes.reduce((sum, lane) => sum + (lane?.sender === LOST_SENDER ? lane.queue.size : 0), 0)
}

function placeFollowUps(state: DispatchState, followUps: readonly FollowUp[]): void {
  const index = new Map(state.meters.map((meter, place) => [meter.sender_id, place]))
  const senderIndex = (id: string | null) => (id === null ? ANY_SENDER : (index.get(id) ?? LOST_SENDER))
  for (const [offset, lead] of followUps.entries()) {
    const place = state.new_count + offset
    state.done[place] = lead.step - 1
    state.sender.email[place] = senderIndex(lead.mailbox_id)
    state.sender.social[place] = senderIndex(lead.account_id)
    if (!lead.asleep) enqueue(state, place, lead.due_at)
  }
}

/**
 * Ends a partly loaded lane with a mark just behind its last lead: what follows is unknown. The cut is the same for all clocks, so
 * each of their lanes gets the mark.
 */
function markCut(state: DispatchState, lane: Lane): void {
  const action = state.action_types.indexOf(lane.action_type)
  if (action < 0) return
  const index =
    lane.sender_id === null
      ? ANY_SENDER
      : state.meters.findIndex((meter) => meter.sender_id === lane.sender_id)
  const sender = lane.sender_id !== null && index < 0 ? LOST_SENDER : index
  const loaded = state.groups.filter((group) => !group.is_unloaded)
  const lanes = loaded.map(({ lanes }) => openLane(lanes, sender, action))
  const last = findLast(lanes.map(({ queue }) => queue)) ?? {
    due: Number.NEGATIVE_INFINITY,
    rank: Number.NEGATIVE_INFINITY,
  }
  const mark = { due: last.due, rank: last.rank + 0.5, place: CUT }
  for (const [index, lane] of lanes.entries()) {
    const group = loaded[index]
    if (group) joinLane(group.lanes, lane, state.ready, mark)
  }
}
