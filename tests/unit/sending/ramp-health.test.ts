import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseDay } from '#lib/domain/calendar/zoned-time'
import {
  decideRamp,
  judgeRamp,
  NO_EVIDENCE,
  type RampDay,
  type RampEvidence,
  rampFrom,
  rampInWords,
} from '#lib/domain/sending/ramp-health'
import { rampLimit } from '#lib/domain/sending/sender-limits'

const DAY = parseDay('2026-03-02')
const RAMP = { start: 10, increase_per_day: 4, day: DAY }
const CEILING = 50

test.each<[Partial<RampEvidence>, ReturnType<typeof judgeRamp>]>([
  [{}, { verdict: 'rise', cause: null }],
  [{ sent: 60 }, { verdict: 'rise', cause: null }],
  // A single bounce is no evidence, however few mails were sent.
  [
    { sent: 3, bounced: 1 },
    { verdict: 'rise', cause: null },
  ],
  [
    { sent: 200, bounced: 4 },
    { verdict: 'rise', cause: null },
  ],
  [
    { sent: 199, bounced: 4 },
    { verdict: 'hold', cause: 'bounces' },
  ],
  [
    { sent: 60, bounced: 3 },
    { verdict: 'hold', cause: 'bounces' },
  ],
  [
    { sent: 59, bounced: 3 },
    { verdict: 'fall', cause: 'bounces' },
  ],
  [{ bounced: 3 }, { verdict: 'fall', cause: 'bounces' }],
  [
    { sent: 27, deferred: 3 },
    { verdict: 'rise', cause: null },
  ],
  [
    { sent: 26, deferred: 3 },
    { verdict: 'hold', cause: 'deferrals' },
  ],
  [
    { sent: 20, deferred: 5 },
    { verdict: 'hold', cause: 'deferrals' },
  ],
  [
    { sent: 19, deferred: 5 },
    { verdict: 'fall', cause: 'deferrals' },
  ],
  [
    { sent: 100, complained: 1 },
    { verdict: 'hold', cause: 'complaints' },
  ],
  [
    { sent: 100, complained: 2 },
    { verdict: 'fall', cause: 'complaints' },
  ],
  [
    { sent: 667, complained: 2 },
    { verdict: 'hold', cause: 'complaints' },
  ],
  [
    { tested: 4, spam: 1 },
    { verdict: 'hold', cause: 'spam' },
  ],
  [
    { tested: 6, spam: 2 },
    { verdict: 'hold', cause: 'spam' },
  ],
  [
    { tested: 5, spam: 2 },
    { verdict: 'fall', cause: 'spam' },
  ],
  [{ outage_hours: 2 }, { verdict: 'rise', cause: null }],
  [{ outage_hours: 3 }, { verdict: 'hold', cause: 'outage' }],
  // A bad sign takes precedence over a worrying one.
  [
    { sent: 100, complained: 1, bounced: 20 },
    { verdict: 'fall', cause: 'bounces' },
  ],
])('%o: %o', (evidence, said) => {
  expect(judgeRamp({ ...NO_EVIDENCE, ...evidence })).toEqual(said)
})

/** Simulates consecutive days; a day without an entry has no evidence. */
function play(evidence: Record<number, Partial<RampEvidence>>, days: number[]): RampDay[] {
  const played: RampDay[] = []
  for (const day of days) {
    const before = played.at(-1) ?? null
    played.push(
      decideRamp({ ramp: RAMP, ceiling: CEILING }, before, { ...NO_EVIDENCE, ...evidence[day] }, DAY + day),
    )
  }
  return played
}
const allowed = (days: RampDay[]) => days.map((day) => day.allowed)

describe('what may leave on each day', () => {
  test('in good health it is the calendar’s, also over days on which nobody asked', () => {
    expect(allowed(play({}, [0, 1, 2, 5, 12]))).toEqual([10, 14, 18, 30, 50])
  })

  test('it stays where something worries, and each sign counts once', () => {
    const days = play({ 2: { sent: 60, bounced: 2 } }, [0, 1, 2, 3, 4])
    expect(allowed(days)).toEqual([10, 14, 14, 18, 22])
    expect(days[2]).toMatchObject({ verdict: 'hold', rises_after: DAY + 2, judged_from: DAY + 2 })
    expect(rampInWords('ana@example.com', days[2] as RampDay)).toBe(
      'ana@example.com stays at 14 a day until Wed 4 Mar 2026: 2 of 60 emails bounced.',
    )
  })

  test('it falls to half where something is bad, and stays there for three days', () => {
    const days = play({ 4: { sent: 40, bounced: 8 } }, [0, 3, 4, 5, 6, 7, 8])
    expect(allowed(days)).toEqual([10, 22, 11, 11, 11, 15, 19])
    expect(days.map(({ verdict }) => verdict)).toEqual([
      'rise',
      'rise',
      'fall',
      'hold',
      'hold',
      'rise',
      'rise',
    ])
    expect(days[4]?.cause).toBe('bounces')
  })

  test('never below the start, and again where it is bad again', () => {
    expect(allowed(play({ 1: { bounced: 5 }, 2: { bounced: 5 } }, [0, 1, 2]))).toEqual([10, 10, 10])
    expect(allowed(play({ 10: { bounced: 5 }, 11: { bounced: 5 } }, [0, 9, 10, 11]))).toEqual([
      10, 46, 23, 11,
    ])
  })

  test('mail in spam holds it for a week, or until a test finds none', () => {
    const spam = { 2: { tested: 4, spam: 1 } }
    expect(allowed(play(spam, [0, 1, 2, 5, 8, 9]))).toEqual([10, 14, 14, 14, 14, 18])
    expect(allowed(play({ ...spam, 4: { tested: 4 } }, [0, 1, 2, 3, 4, 5]))).toEqual([10, 14, 14, 14, 18, 22])
  })

  test('the first time it is judged half way it goes on from the calendar', () => {
    expect(allowed(play({}, [3]))).toEqual([22])
    expect(allowed(play({ 3: { sent: 60, bounced: 2 } }, [3]))).toEqual([18])
  })

  test('a day is decided once, whatever comes later', () => {
    const [first] = play({}, [4])
    const again = decideRamp(
      { ramp: RAMP, ceiling: CEILING },
      first as RampDay,
      { ...NO_EVIDENCE, bounced: 9 },
      DAY + 4,
    )
    expect(again).toBe(first)
  })
})

const anEvidence = fc.record({
  sent: fc.nat(100),
  bounced: fc.nat(8),
  deferred: fc.nat(12),
  complained: fc.nat(2),
  outage_hours: fc.nat(5),
  tested: fc.nat(4),
  spam: fc.nat(4),
})
const aRamp = fc.record({ start: fc.integer({ min: 1, max: 40 }), increase_per_day: fc.nat(10) })

test('whatever is measured, it is never above the calendar, nor below the start, nor over the ceiling', () => {
  fc.assert(
    fc.property(
      aRamp,
      fc.integer({ min: 1, max: 60 }),
      fc.array(fc.tuple(fc.integer({ min: 1, max: 4 }), anEvidence), { maxLength: 15 }),
      (given, ceiling, days) => {
        const ramp = { ...given, day: DAY }
        let last: RampDay | null = null
        let today = DAY
        for (const [gap, evidence] of days) {
          today += gap
          const decided: RampDay = decideRamp({ ramp, ceiling }, last, evidence, today)
          expect(decided.allowed).toBeLessThanOrEqual(rampLimit(ramp, ceiling, today))
          expect(decided.allowed).toBeGreaterThanOrEqual(Math.min(ceiling, ramp.start))
          if (judgeRamp(evidence).verdict !== 'rise' && last)
            expect(decided.allowed).toBeLessThanOrEqual(last.allowed)
          last = decided
        }
      },
    ),
  )
})

test('while all goes well from a decision on, each day is what was forecast of it', () => {
  fc.assert(
    fc.property(
      aRamp,
      fc.integer({ min: 1, max: 60 }),
      fc.array(anEvidence, { minLength: 1, maxLength: 4 }),
      fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 8 }),
      (given, ceiling, past, gaps) => {
        const ramp = { ...given, day: DAY }
        let last: RampDay | null = null
        for (const [index, evidence] of past.entries())
          last = decideRamp({ ramp, ceiling }, last, evidence, DAY + 1 + index)
        const known = last as RampDay
        let today = known.day
        for (const gap of gaps) {
          today += gap
          last = decideRamp({ ramp, ceiling }, last, NO_EVIDENCE, today)
          expect(last.allowed).toBe(rampLimit(rampFrom(ramp, known), ceiling, today))
        }
      },
    ),
  )
})
