import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileSchedule, windowAt } from '#lib/domain/calendar/schedule'
import { loadZone, moveDays, toDay } from '#lib/domain/calendar/zoned-time'
import { type ForecastInput, forecast, forecastActions } from '#lib/domain/forecast/forecast'
import { runToEnd } from '#lib/domain/forecast/with-pauses'
import type { Sender } from '#lib/domain/sending/sender-limits'
import {
  claim,
  clockName,
  load,
  type Paper,
  type Performed,
  runToTheEnd,
} from '#tests/support/doubles/paper-dispatcher'
import { anyPaper } from '#tests/support/scenes/campaign-arbitraries'

const ALL = Number.MAX_SAFE_INTEGER
const inputOf = (paper: Paper, starts_at: number): ForecastInput => ({ ...load(paper, ALL), starts_at })
const planned = (input: ForecastInput) => forecastActions(runToEnd(forecast(input)), 0, ALL)
const bare = (actions: Performed[]) => actions.map(({ lead_index, step, at }) => ({ lead_index, step, at }))

test('what a dispatcher performs is the forecast: same lead, same step, same instant, however small its claims', () => {
  fc.assert(
    fc.property(anyPaper, fc.integer({ min: 1, max: 4 }), (paper, cap) => {
      const promised = planned(inputOf(paper, paper.starts_at))
      expect(bare(runToTheEnd({ ...paper }, paper.starts_at, cap))).toEqual(promised)
    }),
    { numRuns: 1_000 },
  )
})

test('a forecast made on the way is the rest of the one made before', () => {
  fc.assert(
    fc.property(anyPaper, fc.integer({ min: 1, max: 12 }), (start, claims) => {
      const paper = { ...start }
      const promised = planned(inputOf(paper, paper.starts_at))
      const ledger: Performed[] = []
      let now: number | null = paper.starts_at
      for (let turn = 0; turn < claims && now !== null; turn++) now = claim(paper, now, 2, ledger)
      const rest = now === null ? [] : planned(inputOf(paper, now))
      expect([...bare(ledger), ...rest]).toEqual(promised)
    }),
    { numRuns: 700 },
  )
})

test('a dispatcher that comes late acts at once, once per interval, and never in a burst', () => {
  fc.assert(
    fc.property(anyPaper, fc.array(fc.nat(20_000_000), { minLength: 5, maxLength: 25 }), (start, delays) => {
      const paper = { ...start }
      const ledger: Performed[] = []
      let now: number | null = paper.starts_at
      for (const late of delays) {
        if (now === null) break
        const came = now + late
        const before = ledger.length
        now = claim(paper, came, 50, ledger)
        for (const action of ledger.slice(before)) expect(action.at).toBe(came)
        if (paper.campaign.min_interval_seconds > 0) expect(ledger.length - before).toBeLessThanOrEqual(1)
      }
      expectInvariants(start, ledger)
    }),
    { numRuns: 700 },
  )
})

describe('every forecast', () => {
  test('keeps windows, limits, interval, order and delays', () => {
    fc.assert(
      fc.property(anyPaper, (paper) => {
        expectInvariants(paper, runToTheEnd({ ...paper }, paper.starts_at, 1_000))
      }),
      { numRuns: 1_000 },
    )
  })

  test('gives every lead every step, or says which step not and why', () => {
    fc.assert(
      fc.property(anyPaper, (paper) => {
        const whole = runToEnd(forecast(inputOf(paper, paper.starts_at)))
        const text = whole.warnings.map((warning) => warning.message).join(' ')
        for (const step of paper.campaign.steps_config.keys()) {
          const reached = forecastActions(whole, 0, ALL).filter((action) => action.step === step + 1).length
          if (reached < paper.new_leads.length) expect(text).toContain(`Step ${step + 1} (`)
        }
      }),
      { numRuns: 500 },
    )
  })

  test('reads the same twice, and in pages as in one', () => {
    fc.assert(
      fc.property(anyPaper, fc.integer({ min: 1, max: 5 }), (paper, size) => {
        const whole = runToEnd(forecast(inputOf(paper, paper.starts_at)))
        const again = runToEnd(forecast(inputOf(paper, paper.starts_at)))
        expect(again).toEqual(whole)
        const pages = []
        for (let offset = 0; offset < whole.total_actions; offset += size) {
          pages.push(...forecastActions(again, offset, size))
        }
        expect(pages).toEqual(forecastActions(whole, 0, ALL))
        expect(whole.days.reduce((sum, day) => sum + day.planned, 0)).toBe(whole.total_actions)
      }),
      { numRuns: 200 },
    )
  })
})

/** I2, I3, I4 and I8 of a ledger, computed from the rules and not from the planner's own state. */
function expectInvariants(paper: Paper, ledger: Performed[]): void {
  const { campaign, senders, owner_timezone } = paper
  const keepsOwn = campaign.schedule_timezone === 'lead'
  const perDay = new Map<number, number>()
  const last = new Map<number, Performed>()
  for (const [index, action] of ledger.entries()) {
    const timezone = clockName(paper, action.lead_index)
    const zone = loadZone(timezone)
    const window = windowAt(compileSchedule({ ...campaign, timezone }), action.at)
    if (!window) expect.fail(`outside every window in ${timezone}: ${new Date(action.at).toISOString()}`)
    const day = keepsOwn ? toDay(loadZone(campaign.timezone), action.at) : window.day
    perDay.set(day, (perDay.get(day) ?? 0) + 1)
    expect(perDay.get(day)).toBeLessThanOrEqual(campaign.daily_limit)

    const previous = ledger[index - 1]
    if (previous)
      expect(action.at - previous.at).toBeGreaterThanOrEqual(campaign.min_interval_seconds * 1_000)

    const own = last.get(action.lead_index)
    expect(action.step).toBeGreaterThan(own?.step ?? 0)
    const delay = campaign.steps_config[action.step - 1]?.delay_days ?? 0
    expect(action.at).toBeGreaterThanOrEqual(moveDays(zone, own?.at ?? campaign.launched_at, delay))
    last.set(action.lead_index, action)
  }
  for (const sender of senders) {
    expectSenderLimits(
      sender,
      owner_timezone,
      campaign,
      ledger.filter((one) => one.sender_id === sender.sender_id),
    )
  }
}

function expectSenderLimits(
  sender: Sender,
  ownerTimezone: string,
  campaign: Paper['campaign'],
  own: Performed[],
): void {
  const zone = loadZone(ownerTimezone)
  const days = own.map((action) => toDay(zone, action.at))
  const ramp = sender.ramp_up
  for (const [index, action] of own.entries()) {
    const day = days[index] ?? 0
    const today = days.filter((other) => other === day).length
    const dates = day - toDay(zone, sender.ramp_up_started_at ?? 0)
    expect(today).toBeLessThanOrEqual(sender.daily_limit ?? ALL)
    if (ramp) expect(today).toBeLessThanOrEqual(ramp.start + ramp.increase_per_day * dates)
    const before = own[index - 1]
    if (before) expect(action.at - before.at).toBeGreaterThanOrEqual(sender.min_interval_seconds * 1_000)

    const type = campaign.steps_config[action.step - 1]?.action_type ?? ''
    const same = days.filter(
      (_, other) => campaign.steps_config[(own[other]?.step ?? 0) - 1]?.action_type === type,
    )
    const cap = sender.action_limits[type]
    expect(same.filter((other) => other === day).length).toBeLessThanOrEqual(cap?.day ?? ALL)
    const week = same.filter((other) => other > day - 7 && other <= day).length
    expect(week).toBeLessThanOrEqual(cap?.week ?? ALL)
  }
}
