import { describe, expect, test } from 'vitest'
import { SEND_DAYS } from '#lib/domain/calendar/schedule'
import {
  type Beside,
  type ForecastInput,
  forecastActions,
  forecastBeside,
} from '#lib/domain/forecast/forecast'
import type { CampaignPeople } from '#lib/domain/forecast/shared-people'
import { runToEnd } from '#lib/domain/forecast/with-pauses'
import { FRESH_PACE } from '#lib/domain/sending/pacing'

const MONDAY = Date.UTC(2026, 2, 2, 9)
const LEADS = [0, 1, 2, 3]

/** Campaigns of two steps, a day apart, over the same four people; under the contact policy only one at a time may have a person. */
function campaigns(count: number): { inputs: ForecastInput[]; beside: Beside } {
  const inputs = Array.from(
    { length: count },
    (_, number): ForecastInput => ({
      campaign: {
        campaign_id: `0197c1de-5a3b-7c43-9f00-2d6d2f1c5a1${number}`,
        timezone: 'UTC',
        sending_window_start: '00:00:00',
        sending_window_end: '00:00:00',
        send_days: [...SEND_DAYS],
        daily_limit: 100,
        min_interval_seconds: 60,
        launched_at: MONDAY,
        steps_config: [0, 1].map((delay_days) => ({
          delay_days,
          channel: 'email',
          action_type: 'email',
          condition: 'always',
        })),
      },
      pace: FRESH_PACE,
      senders: [
        {
          sender_id: 'a',
          channel: 'email',
          daily_limit: null,
          min_interval_seconds: 0,
          ramp_up: null,
          ramp_up_started_at: null,
          action_limits: {},
          last_action_at: null,
          used: [],
        },
      ],
      owner_timezone: 'UTC',
      new_leads: LEADS,
      follow_ups: [],
      starts_at: MONDAY,
    }),
  )
  const same = (): CampaignPeople => ({
    person_of: Int32Array.from(LEADS),
    begun: new Set(),
    asleep: new Map(),
    is_free: false,
  })
  const [asked = same(), ...others] = inputs.map(same)
  const people: Beside['people'] = {
    rules: { one_campaign_at_a_time: true, company_max_active: null, rest_days: 0 },
    busy: new Int16Array(LEADS.length),
    last_at: new Float64Array(LEADS.length).fill(Number.NEGATIVE_INFINITY),
    company_of: new Int32Array(LEADS.length).fill(-1),
    company_busy: new Int32Array(0),
  }
  return { inputs, beside: { others: inputs.slice(1), people, of: { asked, others } } }
}

const askedLast = (count: number) => {
  const { inputs, beside } = campaigns(count)
  const last = inputs.at(-1) as ForecastInput
  return { last, beside: { ...beside, others: inputs.slice(0, -1) } }
}

describe('campaigns over the same people, walked together', () => {
  test('have each person one after the other, and each gives both steps to all', () => {
    const { inputs, beside } = campaigns(3)
    const { last, beside: others } = askedLast(3)
    const first = runToEnd(forecastBeside(inputs[0] as ForecastInput, beside))
    const third = runToEnd(forecastBeside(last, others))
    if (!first || !third) throw new Error('was given up')
    expect([first.total_actions, third.total_actions]).toEqual([8, 8])
    for (const lead of LEADS) {
      const ofLead = (whole: typeof first) =>
        forecastActions(whole, 0, 99).filter((action) => action.lead_index === lead)
      const ends = ofLead(first).map(({ at }) => at)
      const begins = ofLead(third).map(({ at }) => at)
      expect(Math.max(...ends) < Math.min(...begins) || Math.max(...begins) < Math.min(...ends)).toBe(true)
    }
  })

  test('are given up where that takes more turns than allowed, and not one turn earlier', () => {
    const { last, beside } = askedLast(3)
    const whole = runToEnd(forecastBeside(last, beside))
    const needed = Array.from({ length: 200 }, (_, most) => most).find((most) =>
      runToEnd(forecastBeside(last, beside, most)),
    )
    // Each campaign sends eight times, and waiting leads are checked in between.
    expect(needed).toBeGreaterThanOrEqual(3 * 8 - 1)
    expect(runToEnd(forecastBeside(last, beside, needed))).toEqual(whole)
    expect(runToEnd(forecastBeside(last, beside, (needed ?? 0) - 1))).toBeNull()
  })

  test('pause on their way, as one alone does', () => {
    const { last, beside } = askedLast(20)
    expect([...forecastBeside(last, beside)].length).toBeGreaterThan(1)
  })

  test('leave out whoever waits for a campaign that goes on for ever, and nobody whose person is unknown', () => {
    const { inputs, beside } = campaigns(2)
    const waits = (lead_index: number) =>
      ({
        lead_index,
        step: 1,
        due_at: MONDAY,
        mailbox_id: null,
        account_id: null,
        asleep: 'person_busy',
      }) as const
    const first = { ...(inputs[0] as ForecastInput), new_leads: [0, 1], follow_ups: [waits(3), waits(9)] }
    const asleep = new Map([3, 9].map((lead) => [lead, 'person_busy' as const]))
    const asked = { ...beside.of.asked, asleep }
    beside.people.busy[3] = 1
    const planned = runToEnd(forecastBeside(first, { ...beside, of: { ...beside.of, asked } }))
    if (!planned) throw new Error('was given up')
    const reached = forecastActions(planned, 0, 99).map(({ lead_index }) => lead_index)
    expect(new Set(reached)).toEqual(new Set([0, 1, 9]))
    expect(planned.warnings).toContainEqual(expect.objectContaining({ code: 'leads_wait' }))
  })
})

test('of colleagues who wait for one place the first has it, also who came to wait in the very instant in which it was left', () => {
  const { inputs, beside } = campaigns(1)
  const [input] = inputs
  if (!input) throw new Error('no campaign')
  const due = { due_at: MONDAY, mailbox_id: null, account_id: null }
  const first = { ...input.campaign.steps_config[0], condition: 'always' as const, delay_days: 0 }
  // Nobody has opened a mail: the last step of leads in progress is skipped, which takes no slot.
  const steps_config = [
    first,
    { ...first, condition: 'opened' as const },
  ] as typeof input.campaign.steps_config
  const asked = {
    ...input,
    campaign: { ...input.campaign, steps_config },
    new_leads: [],
    follow_ups: [
      { lead_index: 0, step: 2, ...due },
      { lead_index: 1, step: 1, ...due },
      { lead_index: 2, step: 1, ...due, asleep: 'company_busy' as const },
    ],
  }
  const people = {
    ...beside.people,
    rules: { one_campaign_at_a_time: true, company_max_active: 1, rest_days: 0 },
    company_of: new Int32Array(LEADS.length),
    company_busy: new Int32Array(1),
  }
  const of = { ...beside.of.asked, begun: new Set([0]), asleep: new Map([[2, 'company_busy' as const]]) }
  const planned = runToEnd(forecastBeside(asked, { others: [], people, of: { asked: of, others: [] } }))
  if (!planned) throw new Error('was given up')
  expect(forecastActions(planned, 0, 99)).toMatchObject([
    { lead_index: 1, at: MONDAY + 1 },
    { lead_index: 2 },
  ])
})
