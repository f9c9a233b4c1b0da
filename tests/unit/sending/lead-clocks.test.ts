import { describe, expect, test } from 'vitest'
import { forecast, forecastActions } from '#lib/domain/forecast/forecast'
import { runToEnd } from '#lib/domain/forecast/with-pauses'
import { planDispatch } from '#lib/domain/sending/dispatch-policy'
import type { CampaignRules, DispatchInput } from '#lib/domain/sending/dispatch-state'
import { FRESH_PACE } from '#lib/domain/sending/pacing'
import { aSender } from '#tests/support/scenes/campaign-arbitraries'

const instant = (text: string) => Date.parse(`${text}Z`)
const iso = (at: number | null) => at && new Date(at).toISOString().slice(0, 16)

type Over = Partial<CampaignRules>
const rules = (launched_at: number, over: Over): CampaignRules => ({
  campaign_id: 'c',
  timezone: 'Europe/Berlin',
  schedule_timezone: 'lead',
  sending_window_start: '09:00:00',
  sending_window_end: '17:00:00',
  send_days: ['mon', 'tue', 'wed', 'thu', 'fri'],
  daily_limit: 100,
  min_interval_seconds: 0,
  steps_config: [{ delay_days: 0, channel: 'email', action_type: 'email' }],
  launched_at,
  ...over,
})
const input = (from: string, zones: (string | null)[], over: Over = {}): DispatchInput => ({
  campaign: rules(instant(from), over),
  pace: FRESH_PACE,
  senders: [aSender('a')],
  owner_timezone: 'UTC',
  follow_ups: [],
  new_leads: zones.map((_, index) => index),
  timezone_of: (lead) => zones[lead] ?? null,
})
/** For each lead, when it gets its steps. */
const told = (from: string, zones: (string | null)[], over: Over = {}) =>
  forecastActions(runToEnd(forecast({ ...input(from, zones, over), starts_at: instant(from) })), 0, 99).map(
    ({ lead_index, at }) => `${zones[lead_index] ?? 'campaign'} ${iso(at)}`,
  )

describe('a lead is written to while its own clock stands in the window', () => {
  test('each zone at its own opening, unknown ones by the campaign’s', () => {
    expect(told('2026-06-02T22:00', ['America/New_York', 'Asia/Tokyo', null, 'Europe/London'])).toEqual([
      'Asia/Tokyo 2026-06-03T00:00',
      'campaign 2026-06-03T07:00',
      'Europe/London 2026-06-03T08:00',
      'America/New_York 2026-06-03T13:00',
    ])
  })

  test.each<[string, string, string, string, Over]>([
    [
      'an hour that is left out opens at its end',
      'America/New_York',
      '2026-03-08T00:00',
      '2026-03-08T07:00',
      { sending_window_start: '02:30', sending_window_end: '05:00', send_days: ['sun'] },
    ],
    [
      'an hour that comes twice opens at its first coming',
      'America/New_York',
      '2026-11-01T00:00',
      '2026-11-01T05:30',
      { sending_window_start: '01:30', sending_window_end: '01:45', send_days: ['sun'] },
    ],
    [
      'and closes at its second',
      'America/New_York',
      '2026-11-01T06:40',
      '2026-11-01T06:40',
      { sending_window_start: '01:30', sending_window_end: '01:45', send_days: ['sun'] },
    ],
    [
      'the half hour of Lord Howe',
      'Australia/Lord_Howe',
      '2026-10-03T12:00',
      '2026-10-03T15:30',
      { sending_window_start: '02:15', sending_window_end: '04:00', send_days: ['sun'] },
    ],
    [
      'a window over midnight is that of the day on which it opened',
      'Asia/Tokyo',
      '2026-06-05T16:00',
      '2026-06-05T16:00',
      { sending_window_start: '22:00', sending_window_end: '02:00', send_days: ['fri'] },
    ],
    [
      'west of the date line Monday is still to come',
      'Pacific/Pago_Pago',
      '2026-06-07T21:00',
      '2026-06-08T20:00',
      { send_days: ['mon'] },
    ],
    [
      'east of it Monday has begun',
      'Pacific/Kiritimati',
      '2026-06-07T19:00',
      '2026-06-07T19:00',
      { send_days: ['mon'] },
    ],
    [
      'a holiday is one by the lead’s own date',
      'Pacific/Kiritimati',
      '2026-06-07T19:00',
      '2026-06-08T19:00',
      { holidays: (day) => (day === Date.UTC(2026, 5, 8) / 86_400_000 ? 'Day of the lead' : null) },
    ],
  ])('%s', (_name, zone, from, expected, over) => {
    expect(told(from, [zone], over)).toEqual([`${zone} ${expected}`])
  })

  test('the delay counts days of the lead’s clock, so a narrow window is not missed when clocks change', () => {
    const steps_config = [0, 3].map((delay_days) => ({
      delay_days,
      channel: 'email' as const,
      action_type: 'email',
    }))
    const over = {
      timezone: 'Asia/Tokyo',
      sending_window_end: '09:15',
      steps_config,
      send_days: ['fri', 'mon', 'tue'] as const,
    }
    expect(told('2026-03-06T00:00', ['America/New_York'], over)).toEqual([
      'America/New_York 2026-03-06T14:00',
      'America/New_York 2026-03-09T13:00',
    ])
  })
})

describe('what is the campaign’s stays the campaign’s', () => {
  test('its daily limit counts its own dates, over all zones', () => {
    // Tokyo opens at 02:00 in Berlin, New York at 15:00: the same date in Berlin, and the next begins at 22:00 UTC.
    const zones = ['Asia/Tokyo', 'America/New_York', 'America/Los_Angeles']
    expect(told('2026-06-03T00:00', zones, { daily_limit: 2 })).toEqual([
      'Asia/Tokyo 2026-06-03T00:00',
      'America/New_York 2026-06-03T13:00',
      'America/Los_Angeles 2026-06-03T22:00',
    ])
  })

  test('its interval is kept over all zones', () => {
    const [first = '', second = ''] = told('2026-06-03T08:00', ['Europe/London', 'Europe/Paris'], {
      min_interval_seconds: 3_600,
    })
    expect(first).toBe('Europe/London 2026-06-03T08:00')
    expect(second >= 'Europe/Paris 2026-06-03T09:00').toBe(true)
  })

  test('due follow-ups go first, then new leads in their order, among those whose clock stands in the window', () => {
    const zones = ['Asia/Tokyo', 'Europe/London', 'Europe/Paris', 'Europe/London', 'Asia/Tokyo']
    const due = (lead_index: number, at: string) => ({
      lead_index,
      step: 1,
      due_at: instant(at),
      mailbox_id: 'a',
      account_id: null,
    })
    const plan = planDispatch(
      {
        ...input('2026-06-01T00:00', zones),
        new_leads: [0, 1, 2],
        follow_ups: [due(3, '2026-06-02T12:00'), due(4, '2026-06-02T11:00')],
      },
      instant('2026-06-03T10:00'),
      10,
    )
    expect(plan.actions.map((action) => action.lead_index)).toEqual([3, 1, 2])
    expect([iso(plan.next_slot_at), plan.next_timezone]).toEqual(['2026-06-04T00:00', 'Asia/Tokyo'])
  })
})

describe('the next look', () => {
  const plan = (over: Partial<DispatchInput>, at: string) =>
    planDispatch({ ...input('2026-06-01T00:00', []), ...over }, instant(at), 10)

  test('is the first opening of all zones that have leads, also of those of which none was loaded', () => {
    const clocks = { open: [], closed: ['America/New_York', 'Asia/Tokyo'] }
    expect(iso(plan({ clocks }, '2026-06-02T10:00').next_slot_at)).toBe('2026-06-02T13:00')
    expect(iso(plan({ clocks }, '2026-06-02T22:00').next_slot_at)).toBe('2026-06-03T00:00')
  })

  test('waits are those of the rule that holds: a closed window, or a delay that ends on another day', () => {
    const waiting = { lead_index: 0, step: 1, mailbox_id: null, account_id: null }
    const closed = plan(
      { follow_ups: [{ ...waiting, due_at: 0 }], timezone_of: () => 'Asia/Tokyo' },
      '2026-06-02T10:00',
    )
    expect(closed.waits).toMatchObject({ window: 14 * 3_600_000, delay: 0 })
    const later = plan(
      { follow_ups: [{ ...waiting, due_at: instant('2026-06-05T03:00') }], timezone_of: () => 'Asia/Tokyo' },
      '2026-06-02T10:00',
    )
    expect(later.waits).toMatchObject({ window: 0, delay: 65 * 3_600_000 })
    const weekend = plan(
      { follow_ups: [{ ...waiting, due_at: 0 }], timezone_of: () => 'Asia/Tokyo' },
      '2026-06-05T10:00',
    )
    expect(weekend.waits.send_days).toBe(62 * 3_600_000)
  })
})
