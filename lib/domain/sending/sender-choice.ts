import { startOfDay, toDay, type Zone } from '#lib/domain/calendar/zoned-time'
import type { Channel } from '#lib/domain/campaigns/step-conditions'
import { ANY_SENDER } from '#lib/domain/sending/lanes'
import { compareTurns, type MemberTurns } from '#lib/domain/sending/member-rotation'
import { isMatch, type ProviderMatching } from '#lib/domain/sending/provider-matching'
import { type ProviderPauses, pausedUntil } from '#lib/domain/sending/provider-pause'
import { type Meter, roomOn, senderReadyAt } from '#lib/domain/sending/sender-limits'
import {
  keyAt,
  leastKey,
  leastPlace,
  makeTournament,
  setKey,
  type Tournament,
} from '#lib/domain/sending/tournament'

/**
 * The senders for one kind of action, by meter. Each is either free, in the tree of its class, or in `later`.
 */
export interface SenderOrder {
  /**
   * Free when last checked, by class. The key is minus the room left on `day`, so the least key has the most
   * room.
   */
  readonly free: readonly Tournament[]
  free_count: number
  /** Senders not known to be free, keyed by when they may be. */
  readonly later: Tournament
  /** The day that room is computed for, on the clock of the sender that became free last. */
  zone: Zone | null
  day: number
  /** When that day ends for the first of the free senders. */
  day_ends_at: number
}

const senderOrder = (meters: number, classes: number): SenderOrder => ({
  free: Array.from({ length: classes }, () => makeTournament(meters)),
  free_count: 0,
  later: makeTournament(meters),
  zone: null,
  day: 0,
  day_ends_at: Number.POSITIVE_INFINITY,
})

/** The senders of a campaign: when each may act, and who takes the next new lead. `action` is an index into `action_types`. */
export interface SenderState {
  readonly meters: readonly Meter[]
  readonly turns: MemberTurns | null
  readonly provider_pauses: ProviderPauses | null
  readonly provider_matching: ProviderMatching | null
  readonly action_types: readonly string[]
  readonly action_channels: readonly Channel[]
  /** By action type: its index among the types that the meters count. */
  readonly counted_as: readonly number[]
  /** By meter: its `uses` when `ready` was computed. */
  readonly seen: Float64Array
  /** [meter * action_types + action]: when that sender may perform that action. */
  readonly ready: Float64Array
  /** By meter. Senders of one class differ only in their room, for every lead. */
  readonly class_of: Uint16Array
  /** By action. */
  readonly orders: readonly SenderOrder[]
}

type Given = Omit<SenderState, 'seen' | 'ready' | 'class_of' | 'orders'>

/** `now` is the earliest instant that will be asked about. */
export function senderState(given: Given, now: number): SenderState {
  const { meters, action_types } = given
  const class_of = senderClasses(given)
  const classes = class_of.reduce((most, one) => Math.max(most, one + 1), 0)
  const state: SenderState = {
    ...given,
    seen: new Float64Array(meters.length),
    ready: new Float64Array(meters.length * action_types.length),
    class_of,
    orders: action_types.map(() => senderOrder(meters.length, classes)),
  }
  for (const meter of meters.keys()) refreshReady(state, meter, now)
  return state
}

function senderClasses({ meters, turns, provider_matching, provider_pauses }: Given): Uint16Array {
  const classes = new Map<string, number>()
  return Uint16Array.from(meters, ({ sender_id }, index) => {
    const name = JSON.stringify([
      provider_matching?.senders.get(sender_id),
      turns?.having[index],
      provider_pauses?.until.has(sender_id) ? sender_id : null,
    ])
    const known = classes.get(name) ?? classes.size
    classes.set(name, known)
    return known
  })
}

/** Recomputes when a sender may act; must be called after each of its actions. */
export function refreshReady(state: SenderState, meterIndex: number, after: number): void {
  const meter = state.meters[meterIndex]
  const kinds = state.action_types.length
  if (!meter) return
  for (let action = 0; action < kinds; action++) {
    const order = state.orders[action]
    if (!order || state.action_channels[action] !== meter.channel) continue
    const ready = senderReadyAt(meter, state.counted_as[action] ?? 0, after)
    state.ready[meterIndex * kinds + action] = ready
    const isFree = ready <= after && after < order.day_ends_at && meter.zone === order.zone
    if (isFree && isAmongFree(state, order, meterIndex)) addFree(state, order, action, meterIndex)
    else {
      takeOut(state, order, meterIndex)
      setKey(order.later, meterIndex, ready)
    }
  }
  state.seen[meterIndex] = meter.uses
}

/** Refreshes senders that other campaigns used in the meantime. */
export function catchUp(state: SenderState, after: number): void {
  for (let index = 0; index < state.meters.length; index++)
    if (state.meters[index]?.uses !== state.seen[index]) refreshReady(state, index, after)
}

const freeTree = ({ class_of }: SenderState, { free }: SenderOrder, meter: number) =>
  free[class_of[meter] ?? 0]

const isAmongFree = (state: SenderState, order: SenderOrder, meter: number): boolean => {
  const tree = freeTree(state, order, meter)
  return tree !== undefined && keyAt(tree, meter) < Number.POSITIVE_INFINITY
}

/** Keyed by the sender's room on the order's day. */
function addFree(state: SenderState, order: SenderOrder, action: number, index: number): void {
  const meter = state.meters[index]
  const tree = freeTree(state, order, index)
  if (!meter || !tree) return
  if (keyAt(tree, index) === Number.POSITIVE_INFINITY) order.free_count++
  setKey(tree, index, -roomOn(meter, state.counted_as[action] ?? 0, order.day))
}

/** Returns false if the sender was not among the free ones. */
function takeOut(state: SenderState, order: SenderOrder, meter: number): boolean {
  const tree = freeTree(state, order, meter)
  if (!tree || keyAt(tree, meter) === Number.POSITIVE_INFINITY) return false
  setKey(tree, meter, Number.POSITIVE_INFINITY)
  order.free_count--
  return true
}

/** When the first sender may perform an action; −Infinity if one is known to be free. */
export function anyReadyAt({ orders }: SenderState, action: number): number {
  const order = orders[action]
  if (!order) return Number.POSITIVE_INFINITY
  return order.free_count > 0 ? Number.NEGATIVE_INFINITY : leastKey(order.later)
}

/**
 * Chooses among the senders that may perform this action now: the one with the most headroom (ties: lowest
 * id). If new leads are spread over members, the sender of the member with the fewest leads comes first, then
 * headroom. If providers are matched, senders of the lead's own provider come before all others; if none of
 * them is free now, the lead takes another sender rather than wait.
 */
export function chooseSender(state: SenderState, action: number, at: number, lead: number): number {
  const { meters, turns, provider_pauses, provider_matching } = state
  const order = state.orders[action]
  if (!order) return ANY_SENDER
  freeSenders(state, action, order, at)
  let best = ANY_SENDER
  let least = Number.POSITIVE_INFINITY
  let isMatched = false
  for (const free of order.free) {
    const index = leastPlace(free)
    const meter = meters[index]
    const key = keyAt(free, index)
    if (!meter || key === Number.POSITIVE_INFINITY) continue
    if (provider_pauses && pausedUntil(provider_pauses, meter.sender_id, lead, at) !== null) continue
    const fits = isMatch(provider_matching, meter.sender_id, lead)
    if (isMatched && !fits) continue
    const turn = turns && best !== ANY_SENDER ? compareTurns(turns, index, best) : 0
    const hasMore = key < least || (key === least && index < best)
    if (best === ANY_SENDER || fits !== isMatched || turn < 0 || (turn === 0 && hasMore)) {
      best = index
      least = key
      isMatched = fits
    }
  }
  return best
}

/**
 * Moves senders that have become free from `later` to `free`, with their room. When the day has ended for any
 * of them, all are recomputed.
 */
function freeSenders(state: SenderState, action: number, order: SenderOrder, at: number): void {
  const { later } = order
  if (at >= order.day_ends_at) {
    order.zone = null
    order.day_ends_at = Number.POSITIVE_INFINITY
    for (let index = 0; index < state.meters.length; index++) {
      if (takeOut(state, order, index))
        setKey(later, index, state.ready[index * state.action_types.length + action] ?? 0)
    }
  }
  for (let index = leastPlace(later); keyAt(later, index) <= at; index = leastPlace(later)) {
    setKey(later, index, Number.POSITIVE_INFINITY)
    const zone = state.meters[index]?.zone ?? null
    if (zone && zone !== order.zone) {
      order.zone = zone
      order.day = toDay(zone, at)
      order.day_ends_at = Math.min(order.day_ends_at, startOfDay(zone, order.day + 1))
    }
    addFree(state, order, action, index)
  }
}
