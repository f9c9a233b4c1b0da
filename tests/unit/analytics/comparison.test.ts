import { expect, test } from 'vitest'
import { compareMeasures, daysSince, deliveredRate, MEASURES } from '#lib/domain/analytics/comparison'
import { type Rate, rateWithInterval } from '#lib/domain/analytics/statistics'

const rates = (one: Partial<Record<string, Rate>>) => ({
  delivered: null,
  opened: null,
  clicked: null,
  replied: null,
  interested: null,
  bounced: null,
  unsubscribed: null,
  ...one,
})
const verdictOf = (name: string, own: Rate | null, other: Rate | null) =>
  compareMeasures(rates({ [name]: own ?? undefined }), rates({ [name]: other ?? undefined })).find(
    (measure) => measure.name === name,
  )?.verdict

test('the higher rate of replies is better, and far more of them is no chance', () => {
  const verdict = verdictOf('replied', rateWithInterval(60, 500), rateWithInterval(20, 500))
  expect(verdict).toMatchObject({ better: 'campaign', settled: true })
  expect(verdict?.difference).toBeCloseTo(0.08, 10)
  expect(verdict?.probability).toBeGreaterThan(0.99)
})

test('of bounces and unsubscribes the lower rate is better', () => {
  for (const name of ['bounced', 'unsubscribed'])
    expect(verdictOf(name, rateWithInterval(60, 500), rateWithInterval(20, 500))).toMatchObject({
      better: 'compare_to',
      settled: true,
    })
})

test('a small difference of few is not settled, and its probability is the same from either side', () => {
  const there = verdictOf('replied', rateWithInterval(3, 40), rateWithInterval(2, 40))
  const back = verdictOf('replied', rateWithInterval(2, 40), rateWithInterval(3, 40))
  expect(there).toMatchObject({ better: 'campaign', settled: false })
  expect(back).toMatchObject({ better: 'compare_to', settled: false })
  expect(there?.probability).toBeCloseTo(back?.probability ?? 0, 6)
})

test('what either did not measure is not compared', () => {
  expect(verdictOf('opened', rateWithInterval(1, 9), null)).toBeNull()
  expect(verdictOf('opened', rateWithInterval(1, 9), rateWithInterval(0, 0))).toBeNull()
  expect(compareMeasures(rates({}), rates({}))).toHaveLength(MEASURES.length)
})

test('delivered is what was tried and did not bounce', () => {
  expect(deliveredRate(rateWithInterval(3, 40))).toMatchObject({ numerator: 37, denominator: 40 })
})

test('days count from the launch, without gaps, and what came before it is on the first', () => {
  const day = (date: string, sent: number, replied: number) => ({ date, sent, replied })
  expect(
    daysSince('2026-03-28', [day('2026-03-27', 1, 0), day('2026-03-28', 2, 1), day('2026-03-31', 3, 2)]),
  ).toEqual([
    { sent: 3, replied: 1 },
    { sent: 0, replied: 0 },
    { sent: 0, replied: 0 },
    { sent: 3, replied: 2 },
  ])
  expect(daysSince('', [])).toEqual([])
})
