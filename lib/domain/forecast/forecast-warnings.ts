import { dayInWords } from '#lib/domain/calendar/day-words'
import { compileSchedule, upcomingWindow } from '#lib/domain/calendar/schedule'
import { moveDays } from '#lib/domain/calendar/zoned-time'
import { neverHolds } from '#lib/domain/campaigns/step-conditions'
import { type DispatchState, leadsWithoutSender } from '#lib/domain/sending/dispatch-state'
import { pausesInWords } from '#lib/domain/sending/provider-pause'
import { failureInWords } from '#lib/domain/sending/sender-failures'

export interface ForecastWarning {
  code: string
  message: string
  /** Counts from 1; absent if the warning is about the whole campaign. */
  step?: number
}

/**
 * What an owner should know before the launch. Either every lead gets every step, or a warning says which
 * step some leads will not get and why. `performed` counts the forecast's actions per step; `state` is the
 * state after the forecast.
 */
export function forecastWarnings(
  state: DispatchState,
  result: {
    starts_at: number
    finish_at: number | null
    /** Set if the forecast stopped at this instant with more actions to come. */
    cut_at: number | null
    performed: ArrayLike<number>
    held: number
    left: number
  },
): ForecastWarning[] {
  const steps = state.campaign.steps_config
  const warnings: ForecastWarning[] = []
  const warn = (code: string, message: string) => warnings.push({ code, message })

  if (steps.length === 0) warn('no_steps', 'The campaign has no steps.')
  if (state.lead_index.length === 0 && result.held === 0 && result.left === 0)
    warn('no_leads', 'There are no leads left to contact.')
  if (state.campaign.send_days.length === 0) warn('no_send_days', 'No day of the week is a send day.')
  else if (!upcomingWindow(compileSchedule(state.campaign), result.starts_at)) {
    warn('window_never_opens', 'The sending window never opens.')
  }
  if (state.campaign.daily_limit <= 0) warn('no_daily_limit', 'The daily limit is 0, so nothing can be sent.')
  for (const channel of new Set(steps.map((step) => step.channel))) {
    if (state.meters.some((meter) => meter.channel === channel)) continue
    const sender = channel === 'email' ? 'mailbox' : 'account'
    warn('no_sender', `No connected ${sender} can do the ${channel} steps.`)
  }
  if (result.held > 0)
    warn(
      'texts_held',
      `${result.held === 1 ? '1 lead waits' : `${result.held} leads wait`} for an unapproved or changed text or a missing file, and ${result.held === 1 ? 'is' : 'are'} left out from that step.`,
    )
  if (result.left > 0)
    warn(
      'people_left',
      result.left === 1
        ? '1 lead is left out because their person has left the company.'
        : `${result.left} leads are left out because their people have left their companies.`,
    )
  for (const meter of state.meters)
    if (meter.failing)
      warn(
        'sender_failing',
        `${failureInWords(meter.failing)} The forecast assumes it works from the next attempt.`,
      )
  for (const { held_back } of state.meters)
    if (held_back)
      warn('ramp_held', `${held_back} The forecast assumes the mailbox stays healthy from now on.`)
  const senders = state.meters.map((meter) => meter.sender_id)
  for (const message of pausesInWords(state.provider_pauses, senders, {
    timezone: state.campaign.timezone,
    now: result.starts_at,
  }))
    warn('provider_paused', message)
  const lost = leadsWithoutSender(state)
  if (lost > 0) warn('sender_lost', `${leads(lost)} wait for a sender that is not connected.`)

  for (const [index, step] of steps.entries()) {
    const warning = stepWarning(state, index, result)
    if (!warning) continue
    const message = `Step ${index + 1} (${step.action_type}) ${warning.text}.`
    warnings.push({ code: warning.code, message, step: index + 1 })
  }

  if (result.cut_at !== null) {
    const day = dayInWords(state.campaign.timezone, result.cut_at)
    warn('finishes_after_a_year', `It does not finish by ${day}. Anything later is left out.`)
  }
  if (result.finish_at !== null && result.finish_at > moveDays(state.zone, result.starts_at, 365)) {
    const years = (result.finish_at - result.starts_at) / YEAR_MS
    warn('finishes_after_a_year', `It takes ${years.toFixed(1)} years to finish.`)
  }
  return warnings
}

const YEAR_MS = 365.25 * 86_400_000

function stepWarning(
  state: DispatchState,
  index: number,
  { performed, cut_at }: { performed: ArrayLike<number>; cut_at: number | null },
): { code: string; text: string } | null {
  const never = neverHolds(state.campaign.steps_config, index)
  if (never) return { code: 'step_never_runs', text: `never runs: ${never}` }

  const condition = state.campaign.steps_config[index]?.condition ?? 'always'
  if (condition !== 'always') {
    return {
      code: 'step_has_condition',
      text: `is only for some leads (${condition}); the forecast assumes no more opens, clicks or accepted invitations`,
    }
  }
  const waiting = waitingFor(state, index)
  if (waiting === 0 || cut_at !== null) return null
  return (performed[index] ?? 0) === 0
    ? { code: 'step_never_runs', text: 'never runs: nothing may take it, or a step before it never ends' }
    : { code: 'leads_left_over', text: `is never reached by ${leads(waiting)}` }
}

/** Leads that still have this step ahead of them when the forecast ends. */
function waitingFor(state: DispatchState, index: number): number {
  let count = 0
  for (const done of state.done) if (done <= index) count++
  return count
}

function leads(count: number): string {
  return count === 1 ? '1 lead' : `${count} leads`
}
