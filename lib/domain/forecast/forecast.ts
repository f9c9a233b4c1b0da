import { formatDay } from '#lib/domain/calendar/zoned-time'
import { forecastWarnings } from '#lib/domain/forecast/forecast-warnings'
import {
  buildDispatchState,
  type DispatchInput,
  type DispatchState,
} from '#lib/domain/sending/dispatch-state'
import { runDispatch } from '#lib/domain/sending/dispatch-turns'
import { noWaits, type Waits } from '#lib/domain/sending/pacing'

export type ForecastInput = DispatchInput & {
  /** Virtual time begins here. For a campaign that runs: now. */
  starts_at: number
  /** How many of the leads wait, or will come to wait, for a text that nobody approved. */
  held_leads?: number
}

export const LIMITS = ['window', 'daily_limit', 'min_interval', 'sender', 'delay', 'none'] as const
export type Limit = (typeof LIMITS)[number]

/** Every action to come, in order of time, in typed arrays of `total_actions` entries each. */
export interface Forecast {
  starts_at: number
  timezone: string
  total_actions: number
  first_at: number | null
  finish_at: number | null
  /** The rule that made the campaign wait longest. */
  limited_by: Limit
  warnings: { code: string; message: string }[]
  /** Per window day, without days on which nothing goes out. */
  days: { date: string; planned: number }[]
  at: Float64Array
  lead_index: Float64Array
  step: Uint8Array
}

/**
 * The campaign as it will run if nothing unexpected happens: no reply, bounce, refusal or pause, no opens or clicks beyond those
 * in `facts`, nothing else sent from its senders. The same loop as the dispatcher's over virtual time, with no I/O; a
 * function of its input, so two readings of one state are equal.
 */
export function forecast(input: ForecastInput): Forecast {
  const state = buildDispatchState(input, input.starts_at)
  const most = actionsLeft(state, input)
  const at = new Float64Array(most)
  const lead_index = new Float64Array(most)
  const step = new Uint8Array(most)
  const performed = new Float64Array(input.campaign.steps_config.length)
  const days: { date: string; planned: number }[] = []
  const waits = noWaits()
  let total = 0
  let day = Number.NaN

  runDispatch(state, input.starts_at, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, waits, {
    action(place, number, _meter, instant) {
      at[total] = instant
      lead_index[total] = state.lead_index[place] ?? 0
      step[total] = number
      total++
      performed[number - 1] = (performed[number - 1] ?? 0) + 1
      if (state.pace.day !== day) {
        day = state.pace.day
        days.push({ date: formatDay(day), planned: 0 })
      }
      const today = days.at(-1)
      if (today) today.planned++
    },
    skip() {},
    putOff() {},
  })

  const finish_at = total > 0 ? (at[total - 1] ?? null) : null
  return {
    starts_at: input.starts_at,
    timezone: input.campaign.timezone,
    total_actions: total,
    first_at: total > 0 ? (at[0] ?? null) : null,
    finish_at,
    limited_by: longestWait(waits),
    warnings: forecastWarnings(state, {
      starts_at: input.starts_at,
      finish_at,
      performed,
      held: input.held_leads ?? 0,
    }),
    days,
    at: at.subarray(0, total),
    lead_index: lead_index.subarray(0, total),
    step: step.subarray(0, total),
  }
}

export interface ForecastAction {
  lead_index: number
  step: number
  at: number
}

/** A page of the actions in order of time; only these become objects. */
export function forecastActions(whole: Forecast, offset: number, limit: number): ForecastAction[] {
  const actions: ForecastAction[] = []
  for (let index = offset; index < Math.min(whole.total_actions, offset + limit); index++) {
    actions.push(actionAt(whole, index))
  }
  return actions
}

/** Every action of one lead: the planned part of its timeline. */
export function forecastOfLead(whole: Forecast, leadIndex: number): ForecastAction[] {
  const actions: ForecastAction[] = []
  for (let index = 0; index < whole.total_actions; index++) {
    if (whole.lead_index[index] === leadIndex) actions.push(actionAt(whole, index))
  }
  return actions
}

function actionAt(whole: Forecast, index: number): ForecastAction {
  return {
    lead_index: whole.lead_index[index] ?? 0,
    step: whole.step[index] ?? 0,
    at: whole.at[index] ?? 0,
  }
}

/** An upper bound: conditions may let some of them be skipped. */
function actionsLeft(state: DispatchState, input: ForecastInput): number {
  const steps = input.campaign.steps_config.length
  return input.follow_ups.reduce(
    (sum, lead) => sum + Math.max(0, steps - lead.step + 1),
    state.new_count * steps,
  )
}

function longestWait(waits: Waits): Limit {
  const shares: [Limit, number][] = [
    ['window', waits.window + waits.send_days],
    ['daily_limit', waits.daily_limit],
    ['min_interval', waits.min_interval],
    ['sender', waits.sender_limit],
    ['delay', waits.delay],
  ]
  let longest: [Limit, number] = ['none', 0]
  for (const share of shares) if (share[1] > longest[1]) longest = share
  return longest[0]
}
