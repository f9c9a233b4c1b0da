import { DAY_MS, formatDay } from '#lib/domain/calendar/zoned-time'
import { type ForecastWarning, forecastWarnings } from '#lib/domain/forecast/forecast-warnings'
import { type CampaignPeople, type SharedPeople, shareContacts } from '#lib/domain/forecast/shared-people'
import { startWalk, walkTogether } from '#lib/domain/forecast/walk-together'
import { TURNS_TO_PAUSE, type WithPauses } from '#lib/domain/forecast/with-pauses'
import {
  buildDispatchState,
  type DispatchInput,
  type DispatchState,
  shareMeters,
} from '#lib/domain/sending/dispatch-state'
import { nextTurn, startTurn } from '#lib/domain/sending/next-turn'
import { noWaits, type Waits } from '#lib/domain/sending/pacing'
import { type DecisionSink, takeTurn } from '#lib/domain/sending/take-turn'

export type ForecastInput = DispatchInput & {
  /** Where virtual time starts; for a running campaign, now. */
  starts_at: number
  /** How many leads wait, or will wait, for a text that is not approved. */
  held_leads?: number
  /** How many leads are left out because their person has left; the next claim ends them. */
  left_leads?: number
}

export const LIMITS = ['window', 'daily_limit', 'min_interval', 'sender', 'delay', 'none'] as const
export type Limit = (typeof LIMITS)[number]

/**
 * Every action within ten years of the first, in chronological order, in typed arrays of `total_actions`
 * entries.
 */
export interface Forecast {
  starts_at: number
  timezone: string
  total_actions: number
  first_at: number | null
  /** Null if there are no actions, or if more follow after those ten years. */
  finish_at: number | null
  /** The rule that delayed the campaign most. */
  limited_by: Limit
  /** Leads whose turn comes while their person is in another campaign of the same forecast. */
  waiting_for_person: number
  warnings: ForecastWarning[]
  /** Per window day, without days on which nothing goes out. */
  days: { date: string; planned: number }[]
  at: Float64Array
  lead_index: Float64Array
  step: Uint8Array
}

/**
 * The forecast ends ten years after the first action. Nothing else bounds it: a campaign of a million leads that sends one minute a
 * week would take a million weeks.
 */
const PLANNED_DAYS = 3_652
/** The last instant whose year has four digits in every zone (up to 14 hours ahead). */
const LAST_DAY = Date.UTC(9999, 11, 31)

/**
 * How the campaign will run if nothing unexpected happens: no reply, bounce, refusal or pause, no opens or
 * clicks beyond `facts`, and nothing else sent from its senders. Runs the dispatcher's loop over virtual time
 * without I/O, so equal input gives equal results.
 */
export function* forecast(input: ForecastInput): WithPauses<Forecast> {
  const state = buildDispatchState(input, input.starts_at)
  const { sink, answer, until } = collect(state, input)
  const waits = noWaits()
  const turn = startTurn(input.starts_at)
  for (let taken = 1; nextTurn(state, turn, waits) === 'lead'; taken++) {
    if (turn.at > until()) return answer(waits, 'cut')
    takeTurn(state, turn, sink)
    if (taken % TURNS_TO_PAUSE === 0) yield
  }
  return answer(waits, 'over')
}

/** The campaigns that share senders or people with the one being forecast, and those people. */
export interface Beside {
  others: readonly ForecastInput[]
  people: SharedPeople
  /** For the campaign being forecast, and for each of the others. */
  of: { asked: CampaignPeople; others: readonly CampaignPeople[] }
}

/**
 * A forecast that also simulates the workspace's other campaigns, in the order the dispatcher claims them,
 * sharing sender limits and people. Returns only the one campaign's actions; the others are simulated no
 * further than needed. Null if that takes more than `most` turns: whenever a campaign is done with a person,
 * all leads waiting for that person are checked, so for campaigns over the same people the number of turns
 * grows with the square of their number.
 */
export function* forecastBeside(
  input: ForecastInput,
  { others, people, of }: Beside,
  most = Number.POSITIVE_INFINITY,
): WithPauses<Forecast | null> {
  const all = [{ input, people: of.asked }].concat(
    others.map((other, index) => ({ input: other, people: of.others[index] ?? NOBODY })),
  )
  // Of several campaigns due at one instant the lowest id goes first, as when the dispatcher claims them.
  all.sort((a, b) => (a.input.campaign.campaign_id < b.input.campaign.campaign_id ? -1 : 1))
  const shared = shareMeters(all.map((one) => one.input))
  const asked = all.findIndex((one) => one.input === input)
  let wake: (rank: number, lead: number, due: number) => void = () => {}
  const contacts = shareContacts(
    people,
    all.map((one) => one.people),
    (...woken) => wake(...woken),
  )
  const states = all.map((one, rank) => {
    const contact = contacts.gates[rank]
    return buildDispatchState({ ...one.input, ...(contact && { contact }) }, one.input.starts_at, shared)
  })
  const state = states[asked]
  if (!state) throw new Error('the campaign is not among those walked')
  const { sink, answer, isOver, until } = collect(state, input)
  const walks = states.map((one, rank) =>
    startWalk(one, all[rank]?.input.starts_at ?? input.starts_at, rank === asked ? sink : SILENT),
  )
  const walk = walkTogether(walks, { until, isOver }, contacts.settle)
  wake = walk.wake
  contacts.start(Math.min(...all.map((one) => one.input.starts_at)))
  const end = yield* walk.run(most)
  if (end === 'too_far') return null
  const planned = answer(walks[asked]?.waits ?? noWaits(), end)
  const asleep = contacts.leftAsleep(asked)
  return asleep === 0 ? planned : { ...planned, warnings: [waitForPaused(asleep), ...planned.warnings] }
}

const NOBODY: CampaignPeople = {
  person_of: new Int32Array(0),
  begun: new Set(),
  asleep: new Map(),
  is_free: true,
}
const SILENT: DecisionSink = { action() {}, skip() {}, putOff() {} }

const waitForPaused = (leads: number) => ({
  code: 'leads_wait',
  message: `${leads === 1 ? '1 lead waits' : `${leads} leads wait`} for another campaign that is stopped, such as a paused one, and ${leads === 1 ? 'is' : 'are'} left out.`,
})

/** Collects one campaign's actions as they are decided. */
function collect(state: DispatchState, input: ForecastInput) {
  const most = actionsLeft(state, input)
  const at = new Float64Array(most)
  const lead_index = new Float64Array(most)
  const step = new Uint8Array(most)
  const performed = new Float64Array(input.campaign.steps_config.length)
  const days: { date: string; planned: number }[] = []
  let total = 0
  let left = most
  let day = Number.NaN
  const waited = new Uint8Array(state.lead_index.length)
  let waiting = 0
  let last = LAST_DAY

  const sink: DecisionSink = {
    action(place, number, _meter, instant) {
      if (total === 0) last = Math.min(instant + PLANNED_DAYS * DAY_MS, LAST_DAY)
      at[total] = instant
      lead_index[total] = state.lead_index[place] ?? 0
      step[total] = number
      total++
      left--
      performed[number - 1] = (performed[number - 1] ?? 0) + 1
      if (state.pace.day !== day) {
        day = state.pace.day
        days.push({ date: formatDay(day), planned: 0 })
      }
      const today = days.at(-1)
      if (today) today.planned++
    },
    skip() {
      left--
    },
    putOff(place, _step, _until, hold) {
      if (hold?.code !== 'person_busy' || waited[place] === 1) return
      waited[place] = 1
      waiting++
    },
  }
  /** The last instant that is simulated. */
  const until = () => last
  /** No more of this campaign's actions can follow, whatever the other campaigns do. */
  const isOver = () => left <= 0

  const answer = (waits: Waits, end: 'over' | 'cut'): Forecast => {
    const finish_at = total > 0 && end === 'over' ? (at[total - 1] ?? null) : null
    return {
      starts_at: input.starts_at,
      timezone: input.campaign.timezone,
      total_actions: total,
      first_at: total > 0 ? (at[0] ?? null) : null,
      finish_at,
      limited_by: longestWait(waits),
      waiting_for_person: waiting,
      warnings: forecastWarnings(state, {
        starts_at: input.starts_at,
        finish_at,
        cut_at: end === 'cut' ? last : null,
        performed,
        held: input.held_leads ?? 0,
        left: input.left_leads ?? 0,
      }),
      days,
      at: at.subarray(0, total),
      lead_index: lead_index.subarray(0, total),
      step: step.subarray(0, total),
    }
  }
  return { sink, answer, isOver, until }
}

export interface ForecastAction {
  lead_index: number
  step: number
  at: number
}

/** One page of the actions in chronological order. Only these are turned into objects. */
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

/** An upper bound: some steps may be skipped because of their conditions. */
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
