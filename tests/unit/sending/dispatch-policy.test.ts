import { describe, expect, test } from 'vitest'
import { conditionHolds, NO_FACTS, neverHolds, type StepRule } from '#lib/domain/campaigns/step-conditions'
import { planDispatch } from '#lib/domain/sending/dispatch-policy'
import type { CampaignRules, DispatchInput, FollowUp } from '#lib/domain/sending/dispatch-state'
import { FRESH_PACE } from '#lib/domain/sending/pacing'
import { aSender } from '#tests/support/scenes/campaign-arbitraries'

const at = (text: string) => Date.parse(`2026-06-${text}Z`)
const NOW = at('03T10:00:00')
const email = (delay_days = 0, over: Partial<StepRule> = {}): StepRule => ({
  delay_days,
  channel: 'email',
  action_type: 'email',
  ...over,
})
const campaign = (over: Partial<CampaignRules> = {}): CampaignRules => ({
  campaign_id: 'c',
  timezone: 'UTC',
  sending_window_start: '09:00:00',
  sending_window_end: '17:00:00',
  send_days: ['mon', 'tue', 'wed', 'thu', 'fri'],
  daily_limit: 100,
  min_interval_seconds: 0,
  steps_config: [email(), email(2), email(3)],
  launched_at: at('03T08:00:00'),
  ...over,
})
const input = (over: Partial<DispatchInput> = {}): DispatchInput => ({
  campaign: campaign(),
  pace: FRESH_PACE,
  senders: [aSender('a')],
  owner_timezone: 'UTC',
  follow_ups: [],
  new_leads: [],
  ...over,
})
const waits = (lead_index: number, due: string, over: Partial<FollowUp> = {}): FollowUp => ({
  lead_index,
  step: 2,
  due_at: at(due),
  mailbox_id: 'a',
  account_id: null,
  ...over,
})
const order = (over: Partial<DispatchInput>, cap = 100) =>
  planDispatch(input(over), NOW, cap).actions.map((action) => `${action.lead_index}.${action.step}`)

describe('who goes next', () => {
  test('due follow-ups by due time, ties by lead_index, then new leads', () => {
    const follow_ups = [
      waits(9, '03T09:30:00'),
      waits(8, '03T09:00:00'),
      waits(7, '03T09:30:00'),
      waits(6, '03T10:00:01'),
    ]
    expect(order({ follow_ups, new_leads: [1, 2] })).toEqual(['8.2', '7.2', '9.2', '1.1', '2.1'])
  })

  test('a lead whose sender is busy lets the next one go', () => {
    const senders = [
      aSender('a', { daily_limit: 1, used: [{ date: '2026-06-03', action_type: 'email', count: 1 }] }),
      aSender('b'),
    ]
    const follow_ups = [waits(1, '03T09:00:00'), waits(2, '03T09:30:00', { mailbox_id: 'b' })]
    expect(order({ senders, follow_ups, new_leads: [3] })).toEqual(['2.2', '3.1'])
  })

  test('of leads due at one instant the lowest lead_index, whatever their senders', () => {
    const senders = [aSender('a'), aSender('b')]
    const follow_ups = [waits(2, '03T09:00:00'), waits(1, '03T09:00:00', { mailbox_id: 'b' })]
    expect(order({ senders, follow_ups })).toEqual(['1.2', '2.2'])
  })

  test('the window day ends at its limit', () => {
    const plan = planDispatch(
      input({ campaign: campaign({ daily_limit: 2 }), new_leads: [1, 2, 3] }),
      NOW,
      100,
    )
    expect(plan.actions).toHaveLength(2)
    expect(plan.next_slot_at).toBe(at('04T09:00:00'))
    expect(plan.pace).toMatchObject({ window_day: '2026-06-03', window_day_count: 2 })
  })

  test('with an interval one goes, and the next slot is known', () => {
    const plan = planDispatch(
      input({ campaign: campaign({ min_interval_seconds: 60 }), new_leads: [1, 2] }),
      NOW,
      100,
    )
    expect(plan.actions).toHaveLength(1)
    expect(plan.next_slot_at).toBeGreaterThanOrEqual(NOW + 60_000)
    expect(plan.next_slot_at).toBeLessThan(NOW + 72_000)
  })

  test('new leads wait for the delay of the first step', () => {
    const plan = planDispatch(
      input({ campaign: campaign({ steps_config: [email(1)] }), new_leads: [1] }),
      NOW,
      100,
    )
    expect(plan.actions).toEqual([])
    expect(plan.next_slot_at).toBe(at('04T09:00:00'))
  })

  test('a lead never has two steps in one plan, even without a delay', () => {
    const plan = planDispatch(
      input({ campaign: campaign({ steps_config: [email(), email(0)] }), new_leads: [1] }),
      NOW,
      100,
    )
    expect(plan.actions.map((action) => action.step)).toEqual([1])
    expect(plan.next_slot_at).toBe(NOW + 1)
  })

  test('a refused step comes back as the same step', () => {
    expect(order({ follow_ups: [waits(4, '03T09:59:00', { step: 1 })] })).toEqual(['4.1'])
  })
})

describe('the sender', () => {
  const pick = (senders: DispatchInput['senders'], follow_ups: FollowUp[] = []) =>
    planDispatch(input({ senders, follow_ups, new_leads: [1, 2, 3] }), NOW, 100).actions.map(
      (one) => one.sender_id,
    )
  const used = (count: number) => [{ date: '2026-06-03', action_type: 'email', count }]

  test('of a new lead is the one with the most headroom, ties by lowest id', () => {
    expect(pick([aSender('b', { daily_limit: 9 }), aSender('a', { daily_limit: 9 })])).toEqual([
      'a',
      'b',
      'a',
    ])
    expect(pick([aSender('a', { daily_limit: 9, used: used(2) }), aSender('b', { daily_limit: 9 })])).toEqual(
      ['b', 'b', 'a'],
    )
  })

  test('stays, though another has more headroom', () => {
    const senders = [aSender('a', { daily_limit: 50, used: used(40) }), aSender('b', { daily_limit: 50 })]
    expect(pick(senders, [waits(9, '03T09:00:00')])[0]).toBe('a')
  })

  test('that is gone is waited for, not replaced', () => {
    const plan = planDispatch(
      input({ follow_ups: [waits(9, '03T09:00:00', { mailbox_id: 'gone' })] }),
      NOW,
      100,
    )
    expect(plan).toMatchObject({ actions: [], next_slot_at: null })
  })

  test('of a social step is an account, of an email step a mailbox', () => {
    const steps_config = [email(), email(0, { channel: 'social', action_type: 'message' })]
    const senders = [aSender('account', { channel: 'social' }), aSender('m')]
    const follow_ups = [waits(5, '03T09:00:00', { mailbox_id: 'm' })]
    const plan = planDispatch(
      input({ campaign: campaign({ steps_config }), senders, follow_ups, new_leads: [6] }),
      NOW,
      9,
    )
    expect(plan.actions.map((action) => action.sender_id)).toEqual(['account', 'm'])
  })
})

describe('conditions', () => {
  const steps_config = [email(), email(2, { condition: 'not_opened' }), email(3)]
  const opened = { ...NO_FACTS, opened: true }
  const plan = (over: Partial<FollowUp>, rules = campaign({ steps_config })) =>
    planDispatch(input({ campaign: rules, follow_ups: [waits(1, '03T09:00:00', over)] }), NOW, 100)

  test('a step whose condition does not hold is skipped without a slot, and the next keeps its own delay', () => {
    expect(plan({ facts: opened })).toMatchObject({
      actions: [],
      skips: [{ lead_index: 1, step: 2, at: NOW, next: { step: 3, due_at: at('06T10:00:00') } }],
      next_slot_at: at('08T09:00:00'),
      pace: FRESH_PACE,
    })
  })

  test('a next step without delay takes the slot at once', () => {
    const at_once = campaign({ steps_config: [email(), email(2, { condition: 'not_opened' }), email(0)] })
    expect(plan({ facts: opened }, at_once).actions).toMatchObject([{ step: 3, at: NOW, next: null }])
  })

  test('the last step skipped ends the lead', () => {
    const last = campaign({ steps_config: [email(), email(2, { condition: 'opened' })] })
    expect(plan({}, last)).toMatchObject({ skips: [{ step: 2, next: null }], next_slot_at: null })
  })

  test.each([
    ['always', true, true],
    ['opened', false, true],
    ['not_opened', true, false],
    ['clicked', false, true],
    ['not_clicked', true, false],
    ['connected', false, true],
    ['not_connected', true, false],
  ] as const)(
    '%s: %s for a lead that did nothing, %s for one that did everything',
    (condition, nothing, everything) => {
      expect(conditionHolds(condition, NO_FACTS)).toBe(nothing)
      expect(conditionHolds(condition, { opened: true, clicked: true, connected: true })).toBe(everything)
    },
  )

  test.each([
    ['opened in the first step', [email(0, { condition: 'opened' })], 0, true],
    ['opened without tracking', [email(), email(1, { condition: 'opened' })], 1, true],
    ['opened with tracking', [email(0, { track_opens: true }), email(1, { condition: 'opened' })], 1, false],
    [
      'opened with clicks tracked',
      [email(0, { track_clicks: true }), email(1, { condition: 'opened' })],
      1,
      false,
    ],
    [
      'clicked with opens tracked',
      [email(0, { track_opens: true }), email(1, { condition: 'clicked' })],
      1,
      true,
    ],
    ['clicked without tracking', [email(), email(1, { condition: 'clicked' })], 1, true],
    [
      'clicked with tracking',
      [email(0, { track_clicks: true }), email(1, { condition: 'clicked' })],
      1,
      false,
    ],
    ['connected by email alone', [email(), email(1, { condition: 'connected' })], 1, true],
    ['not opened in the first step', [email(0, { condition: 'not_opened' })], 0, false],
  ])('can never hold: %s', (_name, steps, index, never) => {
    expect(neverHolds(steps, index) !== null).toBe(never)
  })
})

describe('lists that were not loaded whole', () => {
  test('the cap stops the plan at the same instant, and the rest follows in order', () => {
    const plan = planDispatch(input({ new_leads: [1, 2, 3] }), NOW, 2)
    expect(plan.actions.map((action) => action.lead_index)).toEqual([1, 2])
    expect(plan.next_slot_at).toBe(NOW)
  })

  test('a new lead never overtakes follow-ups that were not loaded', () => {
    const cut = { new_leads: false, lanes: [{ sender_id: 'a', action_type: 'email' }] }
    const plan = planDispatch(input({ follow_ups: [waits(7, '03T09:00:00')], new_leads: [1], cut }), NOW, 100)
    expect(plan.actions.map((action) => action.lead_index)).toEqual([7])
    expect(plan.next_slot_at).toBe(NOW)
  })

  test('the end of a list whose last is not due yet is not asked for before', () => {
    const cut = { new_leads: false, lanes: [{ sender_id: 'a', action_type: 'email' }] }
    const plan = planDispatch(input({ follow_ups: [waits(7, '04T12:00:00')], new_leads: [1], cut }), NOW, 100)
    expect(plan.actions.map((action) => action.lead_index)).toEqual([1])
    expect(plan.next_slot_at).toBe(at('04T12:00:00'))
  })
})
