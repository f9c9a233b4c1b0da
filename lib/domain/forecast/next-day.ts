import type { ForecastInput } from '#lib/domain/forecast/forecast'
import { buildDispatchState } from '#lib/domain/sending/dispatch-state'
import { runDispatch } from '#lib/domain/sending/dispatch-turns'
import { noWaits } from '#lib/domain/sending/pacing'

const HOUR_MS = 3_600_000

/**
 * For each sender, the planned actions per hour for `hours` hours after `from`. The forecast stops there, so
 * a campaign of any length costs no more than its next day. `from` must not be after `starts_at`.
 */
export function nextHours(input: ForecastInput, from: number, hours: number): Map<string, number[]> {
  const state = buildDispatchState(input, input.starts_at)
  const until = from + hours * HOUR_MS - 1
  const planned = new Map<string, number[]>()
  runDispatch(state, input.starts_at, until, Number.POSITIVE_INFINITY, noWaits(), {
    action(_place, _step, meter, at) {
      const sender = state.meters[meter]?.sender_id
      if (sender === undefined) return
      const row = planned.get(sender) ?? new Array<number>(hours).fill(0)
      planned.set(sender, row)
      const hour = Math.floor((at - from) / HOUR_MS)
      row[hour] = (row[hour] ?? 0) + 1
    },
    skip() {},
    putOff() {},
  })
  return planned
}
