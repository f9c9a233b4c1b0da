import { describe, expect, test } from 'vitest'
import { loadZone, toDay } from '#lib/domain/calendar/zoned-time'
import { createMeter, roomOn, type Sender, senderReadyAt, takeFrom } from '#lib/domain/sending/sender-limits'
import { aSender } from '#tests/support/scenes/campaign-arbitraries'

const TYPES = ['email', 'connection_request']
const at = (text: string) => Date.parse(`2026-06-${text}Z`)
const iso = (instant: number) => (Number.isFinite(instant) ? new Date(instant).toISOString() : 'never')
const meter = (over: Partial<Sender>, timezone = 'Europe/Berlin') =>
  createMeter(aSender('a', over), TYPES, loadZone(timezone))
const used = (date: string, count: number, action_type = 'email') => ({
  date: `2026-06-${date}`,
  action_type,
  count,
})

describe('a sender is free', () => {
  test.each<{ name: string; over: Partial<Sender>; expected: string }>([
    { name: 'at once, without limits', over: {}, expected: '03T10:00:00' },
    {
      name: 'after its interval',
      over: { min_interval_seconds: 90, last_action_at: at('03T09:59:00') },
      expected: '03T10:00:30',
    },
    { name: 'below its limit', over: { daily_limit: 5, used: [used('03', 4)] }, expected: '03T10:00:00' },
    {
      name: 'on the next date of the owner, at the limit',
      over: { daily_limit: 5, used: [used('03', 5)] },
      expected: '03T22:00:00',
    },
    {
      name: 'whatever went out yesterday',
      over: { daily_limit: 5, used: [used('02', 5)] },
      expected: '03T10:00:00',
    },
    {
      name: 'at the limit of all types together',
      over: { daily_limit: 5, used: [used('03', 3), used('03', 2, 'connection_request')] },
      expected: '03T22:00:00',
    },
    { name: 'never, with a limit of 0', over: { daily_limit: 0 }, expected: 'never' },
    {
      name: 'on its ramp: the second day allows 12',
      over: {
        daily_limit: 50,
        ramp_up: { start: 10, increase_per_day: 2 },
        ramp_up_started_at: at('02T08:00:00'),
        used: [used('03', 11)],
      },
      expected: '03T10:00:00',
    },
    {
      name: 'on its ramp: 12 are enough for the second day',
      over: {
        daily_limit: 50,
        ramp_up: { start: 10, increase_per_day: 2 },
        ramp_up_started_at: at('02T08:00:00'),
        used: [used('03', 12)],
      },
      expected: '03T22:00:00',
    },
    {
      name: 'up to the ceiling of its ramp',
      over: {
        daily_limit: 11,
        ramp_up: { start: 10, increase_per_day: 2 },
        ramp_up_started_at: at('01T08:00:00'),
        used: [used('03', 11)],
      },
      expected: '03T22:00:00',
    },
    {
      name: 'on the day that a ramp from 0 opens',
      over: {
        daily_limit: 50,
        ramp_up: { start: 0, increase_per_day: 1 },
        ramp_up_started_at: at('03T08:00:00'),
      },
      expected: '03T22:00:00',
    },
  ])('$name', ({ over, expected }) => {
    expect(iso(senderReadyAt(meter(over), 0, at('03T10:00:00')))).toBe(
      expected === 'never' ? expected : iso(at(expected)),
    )
  })
})

describe('caps per action type', () => {
  const capped = (day: number | null, week: number | null, rows: Sender['used']) =>
    meter({ action_limits: { connection_request: { day, week } }, used: rows })

  test('hold that type only', () => {
    const full = capped(2, null, [used('03', 2, 'connection_request')])
    expect(iso(senderReadyAt(full, 1, at('03T10:00:00')))).toBe(iso(at('03T22:00:00')))
    expect(iso(senderReadyAt(full, 0, at('03T10:00:00')))).toBe(iso(at('03T10:00:00')))
  })

  test('count any seven dates in a row for the week', () => {
    const rows = [used('01', 1, 'connection_request'), used('03', 2, 'connection_request')]
    const full = capped(null, 3, rows)
    // The action of the 1st leaves the seven-day range when the 8th begins in Berlin.
    expect(iso(senderReadyAt(full, 1, at('03T10:00:00')))).toBe(iso(at('07T22:00:00')))
    takeFrom(full, 1, at('07T22:00:00'))
    expect(iso(senderReadyAt(full, 1, at('07T22:00:00')))).toBe(iso(at('09T22:00:00')))
  })
})

const roomAt = (one: ReturnType<typeof createMeter>, instant: number) =>
  roomOn(one, 0, toDay(one.zone, instant))

test('headroom shrinks with each action and is whole again on the next date of the owner', () => {
  const mailbox = meter({ daily_limit: 2 }, 'America/New_York')
  const evening = at('04T03:30:00')
  const rooms = [0, 1].map((minute) => {
    takeFrom(mailbox, 0, evening + minute * 60_000)
    return roomAt(mailbox, evening + minute * 60_000)
  })
  expect(rooms).toEqual([1, 0])
  expect(iso(senderReadyAt(mailbox, 0, evening))).toBe(iso(at('04T04:00:00')))
  expect(roomAt(mailbox, at('04T04:00:00'))).toBe(2)
})

test('an owner who moves west gets no second limit for the same date', () => {
  const moved = meter({ daily_limit: 2, used: [used('04', 2)] }, 'Pacific/Honolulu')
  expect(iso(senderReadyAt(moved, 0, at('04T05:00:00')))).toBe(iso(at('05T10:00:00')))
})

test('what is older than a week has no say, however long the sender rested', () => {
  const rested = meter({ daily_limit: 3, used: [used('01', 3)] })
  takeFrom(rested, 0, at('29T10:00:00'))
  expect(roomAt(rested, at('29T10:00:00'))).toBe(2)
})
