import { SEND_DAYS } from '#lib/domain/calendar/schedule'
import { type Beside, type ForecastInput, forecastBeside } from '#lib/domain/forecast/forecast'
import type { CampaignPeople } from '#lib/domain/forecast/shared-people'
import { runToEnd } from '#lib/domain/forecast/with-pauses'
import { FRESH_PACE } from '#lib/domain/sending/pacing'
import type { Sender } from '#lib/domain/sending/sender-limits'
import { median, peakMemoryMb, printNote, RUNS, report, timed } from './harness.ts'

const CAMPAIGNS = 10
const LEADS = 100_000
const DAYS = 30
const STEPS = [0, 3, 3]
const GOAL_MS = 60_000
const MONDAY = Date.UTC(2026, 2, 2)

/** Ten mailboxes send for all campaigns, each with a tenth of their total daily limit. */
const senders = Array.from(
  { length: 10 },
  (_, index): Sender => ({
    sender_id: `mailbox-${index}`,
    channel: 'email',
    daily_limit: (CAMPAIGNS * LEADS * STEPS.length) / DAYS / 10,
    min_interval_seconds: 0,
    ramp_up: null,
    ramp_up_started_at: null,
    action_limits: {},
    last_action_at: null,
    used: [],
  }),
)

const campaign = (number: number): ForecastInput => ({
  campaign: {
    campaign_id: `0197c1de-5a3b-7c43-9f00-2d6d2f1c5a${10 + number}`,
    timezone: 'Europe/Berlin',
    sending_window_start: '09:00:00',
    sending_window_end: '17:00:00',
    send_days: [...SEND_DAYS],
    daily_limit: LEADS,
    min_interval_seconds: 1,
    launched_at: MONDAY,
    steps_config: STEPS.map((delay_days) => ({
      delay_days,
      channel: 'email',
      action_type: 'email',
      condition: 'always',
    })),
  },
  pace: FRESH_PACE,
  senders,
  owner_timezone: 'Europe/Berlin',
  new_leads: Float64Array.from({ length: LEADS }, (_, lead) => lead),
  follow_ups: [],
  starts_at: MONDAY,
})

/** Each campaign has its own people, ten per company, of whom five may be contacted at once. */
const ownPeople = (number: number): CampaignPeople => ({
  person_of: Int32Array.from({ length: LEADS }, (_, lead) => number * LEADS + lead),
  begun: new Set(),
  asleep: new Map(),
  is_free: false,
})

function month(): { asked: ForecastInput; beside: Beside } {
  const all = Array.from({ length: CAMPAIGNS }, (_, number) => campaign(number))
  const people = CAMPAIGNS * LEADS
  const [asked = campaign(0), ...others] = all
  return {
    asked,
    beside: {
      others,
      people: {
        rules: { one_campaign_at_a_time: true, company_max_active: 5, rest_days: 0 },
        busy: new Int16Array(people),
        last_at: new Float64Array(people).fill(Number.NEGATIVE_INFINITY),
        company_of: Int32Array.from({ length: people }, (_, person) => Math.floor(person / 10)),
        company_busy: new Int32Array(people / 10),
      },
      of: { asked: ownPeople(0), others: others.map((_, index) => ownPeople(index + 1)) },
    },
  }
}

const times: number[] = []
for (let run = 0; run < Math.min(RUNS, 3); run++) {
  const { asked, beside } = month()
  const { ms, result } = await timed(async () => runToEnd(forecastBeside(asked, beside)))
  if (result?.total_actions !== LEADS * STEPS.length) throw new Error('was not walked to its end')
  times.push(ms)
  printNote(`${Math.round(ms)} ms, ${result.days.length} days, ${peakMemoryMb()} MB`)
}
const ms = median(times)
report({
  what: `${CAMPAIGNS} campaigns × ${LEADS.toLocaleString('en')} leads × ${STEPS.length} steps over a month, on the virtual clock: limits, mailboxes and contact policy`,
  ours: `${(ms / 1000).toFixed(1)} s`,
  against: `${GOAL_MS / 1000} s`,
  ratio: (ms / GOAL_MS).toFixed(2),
  goal: '≤ 1.0',
  met: ms <= GOAL_MS,
})
