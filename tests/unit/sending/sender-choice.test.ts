import fc from 'fast-check'
import { expect, test } from 'vitest'
import { loadZone, toDay } from '#lib/domain/calendar/zoned-time'
import { createTurns } from '#lib/domain/sending/member-rotation'
import { isMatch, type MatchedProvider } from '#lib/domain/sending/provider-matching'
import { pausedUntil } from '#lib/domain/sending/provider-pause'
import { anyReadyAt, chooseSender, refreshReady, senderState } from '#lib/domain/sending/sender-choice'
import { createMeter, roomOn, type Sender, takeFrom } from '#lib/domain/sending/sender-limits'
import { aSender } from '#tests/support/scenes/campaign-arbitraries'

const FROM = Date.UTC(2026, 2, 28, 22)
const HOUR = 3_600_000
const KINDS = ['message', 'email', 'follow']
const CHANNELS = ['social', 'email', 'social'] as const
const LEADS = new Map<number, MatchedProvider>([
  [0, 'google'],
  [1, 'microsoft'],
])

const anySender = fc.record({
  channel: fc.constantFrom<Sender['channel'][]>('email', 'email', 'social'),
  daily_limit: fc.constantFrom(null, 1, 2, 5),
  min_interval_seconds: fc.constantFrom(0, 0, 600, 40_000),
  zone: fc.constantFrom('UTC', 'UTC', 'Pacific/Apia', 'Europe/Berlin'),
  provider: fc.constantFrom(undefined, 'google', 'microsoft'),
  paused_hours: fc.constantFrom(0, 0, 0, 20),
  members: fc.subarray(['ada', 'ben']),
})
const given = fc.record({
  senders: fc.array(anySender, { minLength: 1, maxLength: 12 }),
  matches: fc.boolean(),
  pauses: fc.boolean(),
  spreads: fc.boolean(),
  turns: fc.array(
    fc.record({ wait_ms: fc.constantFrom(0, 0, 1, HOUR, 9 * HOUR), action: fc.nat(2), lead: fc.nat(2) }),
    { maxLength: 60 },
  ),
})

test('whoever takes a new lead is whom asking every sender would name, as days pass and their limits are used', () => {
  fc.assert(
    fc.property(given, ({ senders, matches, pauses, spreads, turns }) => {
      const meters = senders.map(({ zone, channel, daily_limit, min_interval_seconds }, index) =>
        createMeter(
          { ...aSender(`sender-${index}`, { daily_limit, min_interval_seconds }), channel },
          KINDS,
          loadZone(zone),
        ),
      )
      const byId = <T>(pick: (one: (typeof senders)[number]) => T | undefined) =>
        new Map(
          senders.flatMap((one, index) => {
            const value = pick(one)
            return value === undefined ? [] : [[`sender-${index}`, value] as const]
          }),
        )
      const until = byId(({ paused_hours }) =>
        paused_hours > 0 ? new Map([['google' as const, FROM + paused_hours * HOUR]]) : undefined,
      )
      const state = senderState(
        {
          meters,
          turns: spreads
            ? createTurns({ members: byId(({ members }) => members), shares: { ada: 5_000 } }, meters)
            : null,
          provider_pauses: pauses ? { until, providers: LEADS } : null,
          provider_matching: matches
            ? { senders: byId(({ provider }) => provider as MatchedProvider | undefined), leads: LEADS }
            : null,
          action_types: KINDS,
          action_channels: [...CHANNELS],
          counted_as: [0, 1, 2],
        },
        FROM,
      )
      let at = FROM
      for (const { wait_ms, action, lead } of turns) {
        at += wait_ms
        const served = meters.flatMap((meter, index) => (meter.channel === CHANNELS[action] ? [index] : []))
        const ready = (index: number) => state.ready[index * KINDS.length + action] ?? 0
        const first = Math.min(...served.map(ready))
        expect(Math.max(at, anyReadyAt(state, action))).toBe(Math.max(at, first))
        const share = (index: number) => {
          const having = state.turns?.having[index] ?? []
          return having.reduce((sum, member) => sum + (state.turns?.parts[member] ?? 0), 0) / having.length
        }
        const [best = -1] = served
          .filter((index) => ready(index) <= at)
          .filter((index) => pausedUntil(state.provider_pauses, `sender-${index}`, lead, at) === null)
          .map((index) => ({
            index,
            isOther: !isMatch(state.provider_matching, `sender-${index}`, lead),
            share: state.turns ? share(index) : 0,
            room: roomOn(
              meters[index] ?? expect.fail(),
              action,
              toDay(meters[index]?.zone ?? expect.fail(), at),
            ),
          }))
          .sort(
            (a, b) =>
              Number(a.isOther) - Number(b.isOther) ||
              a.share - b.share ||
              (a.room === b.room ? 0 : b.room - a.room) ||
              a.index - b.index,
          )
          .map(({ index }) => index)
        expect(chooseSender(state, action, at, lead)).toBe(best)
        const meter = meters[best]
        if (!meter) continue
        takeFrom(meter, action, at)
        refreshReady(state, best, at)
      }
    }),
    { numRuns: 500 },
  )
})
