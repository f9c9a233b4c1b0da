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
 * The leads of one time zone. A campaign that sends on its own clock has a single group. Decisions are made
 * per group, not per lead.
 */
export interface ClockGroup {
  readonly zone: Zone
  /** Null: the campaign's slots already respect its windows. */
  readonly schedule: Schedule | null
  readonly lanes: Lanes
  /** When the group's new leads are due for their first step. */
  readonly new_due: number
  /** The group's new leads, in campaign order: positions `new_next` up to `new_end` of `new_order`. */
  new_next: number
  new_end: number
  /** The zone has leads, but none of them was loaded. */
  readonly is_unloaded: boolean
  /** The window containing the last instant asked about, or the next window after it. */
  opens_at: number
  closes_at: number
}

type Rules = ScheduleRules & { launched_at: number; steps_config: readonly { delay_days: number }[] }
type Size = { meters: number; kinds: number }

/** Creates groups by zone on demand, in the order of their first lead. */
export function clockGroups(rules: Rules, size: Size) {
  const groups: ClockGroup[] = []
  const places = new Map<string, number>()
  const add = (timezone: string, is_unloaded = false) => {
    places.set(timezone, groups.length)
    groups.push(createGroup(rules, timezone, is_unloaded, size))
    return groups.length - 1
  }
  const own = rules.schedule_timezone === 'lead' ? null : add(rules.timezone)
  /** The group of a lead; null: its zone is unknown. */
  const toGroup = (timezone: string | null): number => {
    if (own !== null) return own
    const name = timezone ?? rules.timezone
    return places.get(name) ?? add(name)
  }
  return { groups, toGroup, addUnloaded: (timezone: string) => void add(timezone, true) }
}

/**
 * The campaign's windows on a lead's clock. `open_from` and `open_until` are instants on the campaign's own
 * clock, so they are dropped here.
 */
export const clockSchedule = (rules: ScheduleRules, timezone: string): Schedule =>
  compileSchedule({ ...rules, timezone, open_from: null, open_until: null })

/**
 * When new leads are due in a zone. Two zones may be an hour apart if one of them changed to or from summer
 * time since the launch.
 */
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

/**
 * Whether the group's clock is inside a window. Instants should be asked in ascending order, so that the
 * cached window nearly always answers.
 */
export function isOpen(group: ClockGroup, at: number): boolean {
  if (group.schedule && at >= group.closes_at) {
    const window = upcomingWindow(group.schedule, at)
    group.opens_at = window?.opens_at ?? Number.POSITIVE_INFINITY
    group.closes_at = window?.closes_at ?? Number.POSITIVE_INFINITY
  }
  return at >= group.opens_at
}

/** Call before asking about an instant earlier than the last one. */
export function forgetWindow(group: ClockGroup): void {
  group.closes_at = Number.NEGATIVE_INFINITY
}

/** For a group that is closed now: the first instant at or after `when` that lies in one of its windows. */
export function openingAfter({ schedule, opens_at }: ClockGroup, when: number): number {
  if (when <= opens_at || !schedule) return opens_at
  return nextOpen(schedule, when) ?? Number.POSITIVE_INFINITY
}

/**
 * Sorts new leads by group, keeping campaign order within each group, and sets each group's `new_next` and
 * `new_end`. `group_of` is indexed by place.
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
