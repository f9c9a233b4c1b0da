import {
  compileSchedule,
  nextOpen,
  type Schedule,
  type ScheduleRules,
  upcomingWindow,
} from '#lib/domain/calendar/schedule'
import { loadZone, moveDays, type Zone } from '#lib/domain/calendar/zoned-time'
import { type Lanes, makeLanes } from '#lib/domain/sending/lanes'

/**
 * Leads that live by one clock: those of one time zone. Where the campaign's clock counts for everybody there is one group.
 * What is decided for a turn is asked of each group, never of each lead.
 */
export interface ClockGroup {
  readonly zone: Zone
  /** Null: the campaign's slots keep its windows already. */
  readonly schedule: Schedule | null
  readonly lanes: Lanes
  /** When its leads are due for their first step. */
  readonly new_due: number
  /** Its new leads, in the order of the campaign: places of `new_order` from `new_next` up to `new_end`. */
  new_next: number
  new_end: number
  /** There are leads of this clock, and none of them was loaded. */
  readonly is_unloaded: boolean
  /** The window that holds the last instant that was asked about, else the next one. */
  opens_at: number
  closes_at: number
}

type Rules = ScheduleRules & { launched_at: number; steps_config: readonly { delay_days: number }[] }
type Size = { meters: number; kinds: number }

/** Groups by zone, made as they are asked for, in the order of their first lead. */
export function clockGroups(rules: Rules, size: Size) {
  const groups: ClockGroup[] = []
  const places = new Map<string, number>()
  const add = (timezone: string, is_unloaded = false) => {
    places.set(timezone, groups.length)
    groups.push(createGroup(rules, timezone, is_unloaded, size))
    return groups.length - 1
  }
  const own = rules.schedule_timezone === 'lead' ? null : add(rules.timezone)
  /** Of a lead, by what is known of its zone. */
  const toGroup = (timezone: string | null): number => {
    if (own !== null) return own
    const name = timezone ?? rules.timezone
    return places.get(name) ?? add(name)
  }
  return { groups, toGroup, addUnloaded: (timezone: string) => void add(timezone, true) }
}

/** The windows of a campaign by the clock of its leads. What opens it once is of its own clock, and opens none of theirs. */
export const clockSchedule = (rules: ScheduleRules, timezone: string): Schedule =>
  compileSchedule({ ...rules, timezone, open_from: null, open_until: null })

/** When new leads are due by a clock: two of them may be an hour apart, where one was put back meanwhile. */
export const newDueAt = (
  { launched_at, steps_config }: Pick<Rules, 'launched_at' | 'steps_config'>,
  zone: Zone,
): number => moveDays(zone, launched_at, steps_config[0]?.delay_days ?? 0)

function createGroup(rules: Rules, timezone: string, is_unloaded: boolean, size: Size): ClockGroup {
  const zone = loadZone(timezone)
  return {
    zone,
    schedule: rules.schedule_timezone === 'lead' ? clockSchedule(rules, timezone) : null,
    lanes: makeLanes(is_unloaded ? { meters: 0, kinds: 0 } : size),
    new_due: newDueAt(rules, zone),
    new_next: 0,
    new_end: 0,
    is_unloaded,
    opens_at: Number.NEGATIVE_INFINITY,
    closes_at: Number.NEGATIVE_INFINITY,
  }
}

/** Whether the clock of a group stands in a window. Asked of instants in their order, so that nearly each answer is known. */
export function isOpen(group: ClockGroup, at: number): boolean {
  if (group.schedule && at >= group.closes_at) {
    const window = upcomingWindow(group.schedule, at)
    group.opens_at = window?.opens_at ?? Number.POSITIVE_INFINITY
    group.closes_at = window?.closes_at ?? Number.POSITIVE_INFINITY
  }
  return at >= group.opens_at
}

/** An earlier instant will be asked about than the last one. */
export function forgetWindow(group: ClockGroup): void {
  group.closes_at = Number.NEGATIVE_INFINITY
}

/** The first instant at or after `when` in a window of a group that is closed now. */
export function openingAfter({ schedule, opens_at }: ClockGroup, when: number): number {
  if (when <= opens_at || !schedule) return opens_at
  return nextOpen(schedule, when) ?? Number.POSITIVE_INFINITY
}

/**
 * Orders new leads by their groups, each group's in the order of the campaign, and tells the groups where theirs are.
 * `group_of` is by place.
 */
export function orderNew(groups: readonly ClockGroup[], group_of: ArrayLike<number>, count: number) {
  const order = new Int32Array(count)
  for (let place = 0; place < count; place++) {
    const group = groups[group_of[place] ?? 0]
    if (group) group.new_end++
  }
  let from = 0
  for (const group of groups) {
    group.new_next = from
    from += group.new_end
    group.new_end = group.new_next
  }
  for (let place = 0; place < count; place++) {
    const group = groups[group_of[place] ?? 0]
    if (group) order[group.new_end++] = place
  }
  return order
}
