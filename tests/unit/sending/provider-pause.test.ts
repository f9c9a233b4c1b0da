import { describe, expect, test } from 'vitest'
import { isReserved, providerByMx } from '#lib/domain/domains/recipient-provider'
import { planDispatch } from '#lib/domain/sending/dispatch-policy'
import type { DispatchInput } from '#lib/domain/sending/dispatch-state'
import { FRESH_PACE } from '#lib/domain/sending/pacing'
import { type ProviderCounts, providerPauseCause } from '#lib/domain/sending/provider-pause'
import type { Sender } from '#lib/domain/sending/sender-limits'

const counts = (changed: Partial<ProviderCounts>): ProviderCounts => ({
  sent: 100,
  bounced: 0,
  deferred: 0,
  complained: 0,
  ...changed,
})

test.each([
  [counts({}), null],
  [counts({ bounced: 10 }), null],
  [counts({ bounced: 11 }), 'bounces'],
  [counts({ sent: 15, bounced: 4 }), null],
  // Refused at once: nothing was sent.
  [counts({ sent: 0, bounced: 20 }), 'bounces'],
  [counts({ sent: 0, bounced: 19 }), null],
  [counts({ deferred: 33 }), null],
  [counts({ deferred: 34 }), 'deferrals'],
  [counts({ sent: 12, deferred: 9 }), null],
  [counts({ complained: 1 }), null],
  [counts({ complained: 2 }), 'complaints'],
  [counts({ sent: 200, complained: 2 }), null],
])('%j: %s', (counted, cause) => expect(providerPauseCause(counted)).toBe(cause))

test.each([
  [[{ priority: 1, exchange: 'aspmx.l.google.com' }], 'google'],
  [[{ priority: 0, exchange: 'acme-com.mail.protection.outlook.com' }], 'microsoft'],
  [[{ priority: 10, exchange: 'mta5.am0.yahoodns.net' }], 'yahoo'],
  [[{ priority: 10, exchange: 'mail.acme.example' }], 'other'],
  [[{ priority: 10, exchange: 'notgoogle.com' }], 'other'],
  [
    [
      { priority: 20, exchange: 'aspmx.l.google.com' },
      { priority: 5, exchange: 'filter.example' },
    ],
    'other',
  ],
  [[], 'other'],
])('mail servers %j are of %s', (records, provider) => expect(providerByMx(records)).toBe(provider))

test('names that nobody can have are not asked about', () =>
  expect(
    ['a.example', 'example.com', 'x.example.org', 'a.test', 'acme.com', 'myexample.com'].map(isReserved),
  ).toEqual([true, true, true, true, false, false]))

const NOW = Date.parse('2026-03-02T10:00:00Z')
const UNTIL = NOW + 3_600_000
const sender = (sender_id: string): Sender => ({
  sender_id,
  channel: 'email',
  daily_limit: 100,
  min_interval_seconds: 0,
  ramp_up: null,
  ramp_up_started_at: null,
  action_limits: {},
  last_action_at: null,
  used: [],
})
const step = { delay_days: 0, channel: 'email', action_type: 'email', condition: 'always' } as const
const input = (changed: Partial<DispatchInput>): DispatchInput => ({
  campaign: {
    campaign_id: '00000000-0000-7000-8000-000000000001',
    timezone: 'UTC',
    sending_window_start: '00:00',
    sending_window_end: '00:00',
    send_days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
    daily_limit: 100,
    min_interval_seconds: 0,
    steps_config: [step, { ...step, delay_days: 1 }],
    launched_at: NOW,
  },
  pace: FRESH_PACE,
  senders: [sender('a'), sender('b')],
  owner_timezone: 'UTC',
  follow_ups: [],
  new_leads: [0, 1, 2],
  ...changed,
})
const providers = new Map([
  [0, 'google'],
  [1, 'microsoft'],
] as const)
const paused = (...ids: string[]) => ({
  providers,
  until: new Map(ids.map((id) => [id, new Map([['google', UNTIL]] as const)])),
})

describe('a plan', () => {
  test('leaves a provider out only where every sender is paused for it', () => {
    const plan = planDispatch(input({ provider_pauses: paused('a', 'b') }), NOW, 10)
    expect(plan.actions.map(({ lead_index }) => lead_index)).toEqual([1, 2])
    expect(plan.put_off).toEqual([
      {
        lead_index: 0,
        step: 1,
        until: UNTIL,
        hold: { code: 'provider_paused', until: UNTIL, ask_again_at: UNTIL, campaign_id: null },
      },
    ])
  })
  test('gives a new lead to a sender that may write to it', () => {
    const plan = planDispatch(input({ provider_pauses: paused('a') }), NOW, 10)
    expect(plan.put_off).toEqual([])
    expect(plan.actions.find(({ lead_index }) => lead_index === 0)?.sender_id).toBe('b')
  })
  test('lets a lead wait for the sender that it keeps, and goes on with the others', () => {
    const follow = (lead_index: number) => ({
      lead_index,
      step: 2,
      due_at: NOW,
      mailbox_id: 'a',
      account_id: null,
    })
    const follow_ups = [follow(0), follow(1)]
    const asked = input({ new_leads: [], follow_ups, provider_pauses: paused('a') })
    const plan = planDispatch(asked, NOW, 10)
    expect(plan.actions.map(({ lead_index, step }) => [lead_index, step])).toEqual([[1, 2]])
    expect(plan.put_off.map(({ lead_index, step, until }) => [lead_index, step, until])).toEqual([
      [0, 2, UNTIL],
    ])
    expect(planDispatch(asked, UNTIL, 10).actions.map(({ lead_index }) => lead_index)).toEqual([0, 1])
  })
  test('asks again when another sender is free, if that is sooner', () => {
    const busy = { ...sender('b'), min_interval_seconds: 600, last_action_at: NOW - 1_000 }
    const plan = planDispatch(input({ senders: [sender('a'), busy], provider_pauses: paused('a') }), NOW, 10)
    expect(plan.put_off.map(({ until }) => until)).toEqual([NOW + 599_000])
  })
})
