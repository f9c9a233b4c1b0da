import { describe, expect, test } from 'vitest'
import type { StepRule } from '#lib/domain/campaigns/step-conditions'
import { explainWait } from '#lib/domain/forecast/explain-wait'
import { forecast, forecastActions, forecastOfLead } from '#lib/domain/forecast/forecast'
import { runToEnd, type WithPauses } from '#lib/domain/forecast/with-pauses'
import type { CampaignRules, DispatchInput } from '#lib/domain/sending/dispatch-state'
import { FRESH_PACE } from '#lib/domain/sending/pacing'
import { runInSlices } from '#lib/services/forecast/run-in-slices'
import { aSender } from '#tests/support/scenes/campaign-arbitraries'

const at = (text: string) => Date.parse(`2026-06-${text}Z`)
const email = (delay_days = 0, over: Partial<StepRule> = {}): StepRule => ({
  delay_days,
  channel: 'email',
  action_type: 'email',
  ...over,
})
const rules = (over: Partial<CampaignRules> = {}): CampaignRules => ({
  campaign_id: 'c',
  timezone: 'Europe/Berlin',
  sending_window_start: '09:00:00',
  sending_window_end: '17:00:00',
  send_days: ['mon', 'tue', 'wed', 'thu', 'fri'],
  daily_limit: 2,
  min_interval_seconds: 0,
  steps_config: [email(), email(1)],
  launched_at: at('05T08:00:00'),
  ...over,
})
const input = (leads: number, over: Partial<CampaignRules> = {}, rest: Partial<DispatchInput> = {}) => ({
  campaign: rules(over),
  pace: FRESH_PACE,
  senders: [aSender('a')],
  owner_timezone: 'UTC',
  follow_ups: [],
  new_leads: Array.from({ length: leads }, (_, index) => index),
  starts_at: at('05T08:00:00'),
  ...rest,
})

test('three leads, two steps, two a day, launched on a Friday: every instant', () => {
  const whole = runToEnd(forecast(input(3)))
  expect(forecastActions(whole, 0, 100)).toEqual([
    { lead_index: 0, step: 1, at: at('05T08:00:00') },
    { lead_index: 1, step: 1, at: at('05T08:00:00') },
    { lead_index: 0, step: 2, at: at('08T07:00:00') },
    { lead_index: 1, step: 2, at: at('08T07:00:00') },
    { lead_index: 2, step: 1, at: at('09T07:00:00') },
    { lead_index: 2, step: 2, at: at('10T07:00:00') },
  ])
  expect(whole).toMatchObject({
    total_actions: 6,
    first_at: at('05T08:00:00'),
    finish_at: at('10T07:00:00'),
    limited_by: 'daily_limit',
    warnings: [],
    days: [
      { date: '2026-06-05', planned: 2 },
      { date: '2026-06-08', planned: 2 },
      { date: '2026-06-09', planned: 1 },
      { date: '2026-06-10', planned: 1 },
    ],
  })
  expect(forecastOfLead(whole, 2).map((action) => action.step)).toEqual([1, 2])
})

describe('limited by', () => {
  test.each([
    { name: 'none', whole: input(1, { steps_config: [email()] }) },
    {
      name: 'window',
      whole: input(9, { daily_limit: 999, min_interval_seconds: 20_000, steps_config: [email()] }),
    },
    { name: 'daily_limit', whole: input(9, { steps_config: [email()] }) },
    {
      name: 'min_interval',
      whole: input(3, { daily_limit: 99, min_interval_seconds: 600, steps_config: [email()] }),
    },
    {
      name: 'sender',
      whole: input(
        9,
        { daily_limit: 99, steps_config: [email()] },
        { senders: [aSender('a', { daily_limit: 1 })] },
      ),
    },
    { name: 'delay', whole: input(1, { steps_config: [email(), email(30)] }) },
  ])('$name', ({ name, whole }) => {
    expect(runToEnd(forecast(whole)).limited_by).toBe(name)
  })
})

test('what takes longer than ten years is planned for ten, in no more turns than they have', () => {
  const whole = input(1_000_000, { daily_limit: 1, steps_config: [email()], send_days: ['sun'] })
  const { total_actions, finish_at, days, warnings } = runToEnd(forecast(whole))
  expect([total_actions, days.length, days.at(-1)?.date]).toEqual([522, 522, '2036-06-01'])
  expect(finish_at).toBe(null)
  expect(warnings).toEqual([
    {
      code: 'finishes_after_a_year',
      message: 'It does not finish by Fri 6 Jun 2036. Anything later is left out.',
    },
  ])
})

test.each(['9999-12-30T08:00:00Z', '9999-12-31T23:59:59Z'])(
  'no day of year 10000 is planned from %s on',
  (text) => {
    const whole = { ...input(3, { timezone: 'Pacific/Kiritimati' }), starts_at: Date.parse(text) }
    const { days, at, finish_at } = runToEnd(forecast(whole))
    expect(finish_at).toBe(null)
    expect(days.filter(({ date }) => !date.startsWith('9999-12-'))).toEqual([])
    expect([...at].filter((one) => one > Date.UTC(9999, 11, 31))).toEqual([])
  },
)

describe('warnings', () => {
  test.each([
    { code: 'finishes_after_a_year', whole: input(400, { daily_limit: 1, steps_config: [email()] }) },
    { code: 'no_send_days', whole: input(1, { send_days: [] }) },
    { code: 'no_steps', whole: input(1, { steps_config: [] }) },
    { code: 'no_leads', whole: input(0) },
    { code: 'no_sender', whole: input(1, {}, { senders: [] }) },
    {
      code: 'no_sender',
      whole: input(1, { steps_config: [email(), email(1, { channel: 'social', action_type: 'message' })] }),
    },
    {
      code: 'step_never_runs',
      whole: input(1, { steps_config: [email(), email(1, { condition: 'clicked' })] }),
    },
    { code: 'step_never_runs', whole: input(1, {}, { senders: [aSender('a', { daily_limit: 0 })] }) },
    {
      code: 'step_has_condition',
      whole: input(1, { steps_config: [email(0, { track_opens: true }), email(1, { condition: 'opened' })] }),
    },
    {
      code: 'sender_lost',
      whole: input(
        0,
        {},
        { follow_ups: [{ lead_index: 1, step: 2, due_at: 0, mailbox_id: 'gone', account_id: null }] },
      ),
    },
  ])('$code', ({ code, whole }) => {
    expect(runToEnd(forecast(whole)).warnings.map((warning) => warning.code)).toContain(code)
  })

  test('none for a plain campaign that ends in time', () => {
    expect(runToEnd(forecast(input(100, { daily_limit: 50 }))).warnings).toEqual([])
  })
})

test('100,000 leads of 5 steps are forecast whole', () => {
  const big = input(100_000, {
    daily_limit: 10_000,
    min_interval_seconds: 1,
    steps_config: [0, 3, 4, 5, 7].map((d) => email(d)),
  })
  expect(runToEnd(forecast(big)).total_actions).toBe(500_000)
})

test('a long forecast pauses, and others are heard once it took a while', async () => {
  expect([...forecast(input(1_000))]).toHaveLength(20)
  expect([...forecast(input(49))]).toHaveLength(0)

  const heard: string[] = []
  let now = 0
  function* work(): WithPauses<string> {
    heard.push('begins')
    yield
    heard.push('goes on')
    now += 5
    yield
    heard.push('ends')
    return 'done'
  }
  setImmediate(() => heard.push('another'))
  expect(await runInSlices(work(), () => now)).toBe('done')
  expect(heard).toEqual(['begins', 'goes on', 'another', 'ends'])
})

describe('why a campaign waits', () => {
  const running = { status: 'active', paused_reason: null } as const
  const spent = { last_action: null, window_day: '2026-06-05', window_day_count: 2 }
  const justNow = {
    last_action: { at: at('05T08:00:00'), lead_index: 0, step: 1 },
    window_day: '2026-06-05',
    window_day_count: 1,
  }

  test.each([
    { code: 'due_now', whole: input(1), now: '05T08:00:00', until: '05T08:00:00' },
    { code: 'window', whole: input(1), now: '05T06:00:00', until: '05T08:00:00', launched: '05T05:00:00' },
    { code: 'send_days', whole: input(1), now: '06T08:00:00', until: '08T07:00:00' },
    { code: 'daily_limit', whole: input(1, {}, { pace: spent }), now: '05T09:00:00', until: '08T07:00:00' },
    {
      code: 'sender_limit',
      whole: input(
        1,
        {},
        { senders: [aSender('a', { min_interval_seconds: 3_600, last_action_at: at('05T08:00:00') })] },
      ),
      now: '05T08:30:00',
      until: '05T09:00:00',
    },
    {
      code: 'delay',
      whole: input(
        0,
        {},
        {
          follow_ups: [
            { lead_index: 1, step: 2, due_at: at('05T11:00:00'), mailbox_id: 'a', account_id: null },
          ],
        },
      ),
      now: '05T08:30:00',
      until: '05T11:00:00',
    },
    { code: 'nothing_due', whole: input(0), now: '05T08:30:00', until: null },
    { code: 'no_sender', whole: input(1, {}, { senders: [] }), now: '05T08:30:00', until: null },
    { code: 'window_never_opens', whole: input(1, { send_days: [] }), now: '05T08:30:00', until: null },
  ])('$code until $until', ({ code, whole, now, until }) => {
    const campaign =
      code === 'window'
        ? { ...whole.campaign, launched_at: 0, sending_window_start: '10:00' }
        : whole.campaign
    const answer = explainWait(running, { ...whole, campaign }, at(now))
    expect(answer).toMatchObject({ code, until: until && at(until) })
    expect(answer.message).toMatch(/^[A-Z].*\.$/)
  })

  test('the interval', () => {
    const answer = explainWait(
      running,
      input(1, { min_interval_seconds: 600 }, { pace: justNow }),
      at('05T08:00:10'),
    )
    expect(answer).toMatchObject({ code: 'min_interval', params: { min_interval_seconds: 600 } })
    expect(answer.until).toBeGreaterThanOrEqual(at('05T08:10:00'))
  })

  test('a paused campaign says what paused it, and a draft that it does not run', () => {
    expect(
      explainWait({ status: 'paused', paused_reason: 'bounce_rate' }, input(1), at('05T08:00:00')),
    ).toMatchObject({
      code: 'paused',
      until: null,
      params: { paused_reason: 'bounce_rate' },
    })
    expect(explainWait({ status: 'draft', paused_reason: null }, input(1), at('05T08:00:00')).code).toBe(
      'not_running',
    )
  })
})
