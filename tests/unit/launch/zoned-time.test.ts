import { Temporal } from 'temporal-polyfill/implementation'
import { describe, expect, test } from 'vitest'
import {
  DAY_MS,
  formatDay,
  isTimeZone,
  loadZone,
  moveDays,
  parseDay,
  startOfDay,
  toDay,
  toInstant,
  toLocal,
  toWeekday,
} from '#lib/domain/calendar/zoned-time'
import { ALL_ZONES, FROM, transitionsOf, UNTIL } from '#tests/support/files/zones'

const utc = (text: string) => Date.parse(text)
/** A wall-clock time, encoded as the same digits in UTC. */
const wall = (text: string) => Date.parse(`${text}Z`)
const iso = (at: number) => new Date(at).toISOString().replace('.000Z', 'Z')

test(`offsets agree with Temporal on both sides of every transition of every zone`, {
  timeout: 60_000,
}, () => {
  let asked = 0
  for (const timezone of ALL_ZONES) {
    const zone = loadZone(timezone)
    const instants = transitionsOf(timezone).flatMap((at) => [at - 1, at, at + 45 * DAY_MS])
    for (const at of [FROM, ...instants, UNTIL - 1]) {
      const truth = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timezone)
      if (toLocal(zone, at) !== at + truth.offsetNanoseconds / 1e6) expect.fail(`${timezone} ${iso(at)}`)
      asked++
    }
  }
  expect(asked).toBeGreaterThan(5_000)
})

test('local midnights agree with Temporal on every day of a transition, and no zone was left out', () => {
  let asked = 0
  for (const timezone of ALL_ZONES) {
    const zone = loadZone(timezone)
    for (const at of transitionsOf(timezone)) {
      for (const day of [toDay(zone, at) - 1, toDay(zone, at), toDay(zone, at) + 1]) {
        const truth = Temporal.PlainDate.from(formatDay(day)).toZonedDateTime(timezone).epochMilliseconds
        if (startOfDay(zone, day) !== truth) expect.fail(`${timezone} ${formatDay(day)}`)
        asked++
      }
    }
  }
  expect(asked).toBeGreaterThan(5_000)
})

describe('a local time that does not exist is the first instant after the gap', () => {
  test.each([
    ['New York, 02:30', 'America/New_York', '2026-03-08T02:30', '2026-03-08T07:00:00Z'],
    ['Berlin, 02:00 itself', 'Europe/Berlin', '2026-03-29T02:00', '2026-03-29T01:00:00Z'],
    ['Lord Howe skips half an hour', 'Australia/Lord_Howe', '2026-10-04T02:15', '2026-10-03T15:30:00Z'],
    ['Cairo has no midnight', 'Africa/Cairo', '2024-04-26T00:00', '2024-04-25T22:00:00Z'],
    ['Beirut has no midnight', 'Asia/Beirut', '2024-03-31T00:30', '2024-03-30T22:00:00Z'],
    ['Tehran has no midnight', 'Asia/Tehran', '2022-03-22T00:00', '2022-03-21T20:30:00Z'],
    ['Asuncion has no midnight', 'America/Asuncion', '2023-10-01T00:30', '2023-10-01T04:00:00Z'],
    ['Casablanca after Ramadan', 'Africa/Casablanca', '2023-04-23T02:30', '2023-04-23T02:00:00Z'],
    ['Samoa skipped a whole day', 'Pacific/Apia', '2011-12-30T12:00', '2011-12-30T10:00:00Z'],
    ['Troll jumps two hours', 'Antarctica/Troll', '2026-03-29T01:30', '2026-03-29T01:00:00Z'],
  ])('%s', (_name, timezone, local, expected) => {
    expect(iso(toInstant(loadZone(timezone), wall(local), 'first'))).toBe(expected)
    expect(iso(toInstant(loadZone(timezone), wall(local), 'second'))).toBe(expected)
  })
})

describe('a local time that exists twice', () => {
  test.each([
    ['New York', 'America/New_York', '2026-11-01T01:30', '2026-11-01T05:30:00Z', '2026-11-01T06:30:00Z'],
    ['Berlin', 'Europe/Berlin', '2026-10-25T02:00', '2026-10-25T00:00:00Z', '2026-10-25T01:00:00Z'],
    [
      'Lord Howe, half an hour',
      'Australia/Lord_Howe',
      '2026-04-05T01:45',
      '2026-04-04T14:45:00Z',
      '2026-04-04T15:15:00Z',
    ],
    [
      'Juba moved west for good',
      'Africa/Juba',
      '2021-01-31T23:30',
      '2021-01-31T20:30:00Z',
      '2021-01-31T21:30:00Z',
    ],
    [
      'Havana has two midnights',
      'America/Havana',
      '2026-11-01T00:00',
      '2026-11-01T04:00:00Z',
      '2026-11-01T05:00:00Z',
    ],
    [
      'Casablanca in Ramadan',
      'Africa/Casablanca',
      '2023-03-19T02:30',
      '2023-03-19T01:30:00Z',
      '2023-03-19T02:30:00Z',
    ],
  ])('%s', (_name, timezone, local, first, second) => {
    expect(iso(toInstant(loadZone(timezone), wall(local), 'first'))).toBe(first)
    expect(iso(toInstant(loadZone(timezone), wall(local), 'second'))).toBe(second)
  })
})

describe('calendar days on', () => {
  const zone = loadZone('America/New_York')
  test.each([
    ['a plain day', '2026-06-01T14:00:00Z', 1, '2026-06-02T14:00:00Z'],
    ['a day of 23 hours keeps the wall clock', '2026-03-07T14:00:00Z', 1, '2026-03-08T13:00:00Z'],
    ['a day of 25 hours keeps the wall clock', '2026-10-31T14:00:00Z', 1, '2026-11-01T15:00:00Z'],
    ['into the gap', '2026-03-05T07:30:00Z', 3, '2026-03-08T07:00:00Z'],
    ['into the overlap: its first coming', '2026-10-30T05:30:00Z', 2, '2026-11-01T05:30:00Z'],
    ['none: the very instant, not the first 01:30', '2026-11-01T06:30:00Z', 0, '2026-11-01T06:30:00Z'],
    ['a year', '2026-01-31T12:00:00Z', 365, '2027-01-31T12:00:00Z'],
  ])('%s', (_name, from, days, expected) => {
    expect(iso(moveDays(zone, utc(from), days))).toBe(expected)
  })
})

test('weekdays and dates, also before 1970', () => {
  expect(toWeekday(parseDay('2026-03-29'))).toBe(6)
  expect(toWeekday(parseDay('1969-12-29'))).toBe(0)
  expect(formatDay(parseDay('2028-02-29'))).toBe('2028-02-29')
})

test.each([
  ['UTC', true],
  ['Europe/Berlin', true],
  ['Asia/Calcutta', true],
  ['Etc/GMT+5', true],
  ['Mars/Olympus', false],
  ['europe/berlin', true],
  ['EST5EDT', true],
  ['BST', false],
  ['IST', false],
  ['US/Pacific-New', false],
  ['Canada/East-Saskatchewan', false],
  ['SystemV/AST4ADT', false],
  ['+02:00', false],
  ['', false],
])('is "%s" a zone: %s', (name, expected) => {
  expect(isTimeZone(name)).toBe(expected)
})
