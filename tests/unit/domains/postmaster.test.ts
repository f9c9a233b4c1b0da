import { describe, expect, test } from 'vitest'
import { judgeSpam, percent, spamInWords } from '#lib/domain/domains/counted/postmaster'

const NOW = Date.UTC(2026, 5, 15, 12)
const day = (back: number, spam: number | null) => ({
  date: new Date(NOW - back * 86_400_000).toISOString().slice(0, 10),
  spam,
})

describe('the spam rate of a domain', () => {
  test.each<[string, [number, number | null][], string | null, number | null]>([
    ['is unknown without a day', [], null, null],
    ['is unknown where Gmail saw too little', [[1, null]], null, null],
    ['is fine below 0.1 %', [[1, 0.00099]], 'fine', 0.00099],
    ['is high from 0.1 % on', [[1, 0.001]], 'high', 0.001],
    ['is too high from 0.3 % on', [[1, 0.003]], 'too_high', 0.003],
    [
      'is that of the worst day of seven',
      [
        [7, 0.002],
        [2, 0.0001],
        [1, null],
      ],
      'high',
      0.002,
    ],
    [
      'forgets what is older',
      [
        [8, 0.02],
        [1, 0.0001],
      ],
      'fine',
      0.0001,
    ],
  ])('%s', (_, days, level, spam) => {
    const verdict = judgeSpam(
      days.map(([back, share]) => day(back, share)),
      NOW,
    )
    expect([verdict?.level ?? null, verdict?.spam ?? null]).toEqual([level, spam])
  })

  test('is said where it is over a limit, and only there', () => {
    const of = (level: 'fine' | 'high' | 'too_high', spam: number) =>
      spamInWords('acme.example', { level, date: '2026-06-14', spam })
    expect(of('fine', 0.0001)).toBeNull()
    expect(of('high', 0.0012)).toContain('0.12 % of the mail from acme.example on Sun 14 Jun 2026')
    expect(of('too_high', 0.004)).toContain('From 0.3 %')
  })
})

test.each([
  [0.00099, '0.10 %'],
  [0.0012, '0.12 %'],
  [0.995, '99.5 %'],
  [1, '100 %'],
])('%s is %s', (share, words) => {
  expect(percent(share)).toBe(words)
})
