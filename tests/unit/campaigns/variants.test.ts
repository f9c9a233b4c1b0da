import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { actionFraction, campaignSeed } from '#lib/domain/sending/action-hash'
import { chooseVariant } from '#lib/domain/sending/variants'

const campaign_id = '0197c1de-5a3b-7c43-9f00-2d6d2f1c5a11'
const weights = (...list: number[]) => list.map((weight) => ({ weight }))

const action = fc.record({
  campaign_id: fc.uuid(),
  lead_index: fc.nat(2_000_000),
  step: fc.integer({ min: 1, max: 20 }),
})

describe('a variant', () => {
  test('is the same at every reading', () => {
    fc.assert(
      fc.property(action, fc.array(fc.nat(100), { maxLength: 6 }), (which, list) => {
        expect(chooseVariant(weights(...list), which)).toBe(chooseVariant(weights(...list), { ...which }))
      }),
    )
  })

  test('with weight 0 is never chosen, and one with weight is when there is any', () => {
    fc.assert(
      fc.property(action, fc.array(fc.nat(2), { maxLength: 6 }), (which, list) => {
        const chosen = chooseVariant(weights(...list), which)
        if (list.every((weight) => weight === 0)) expect(chosen).toBeNull()
        else expect(list[chosen ?? -1]).toBeGreaterThan(0)
      }),
    )
  })

  test.each([
    { name: 'even halves', list: [50, 50] },
    { name: 'shares of any sum', list: [1, 2, 1] },
    { name: 'a rare one', list: [95, 5] },
    { name: 'a dead one between', list: [30, 0, 70] },
  ])('is chosen by share: $name', ({ list }) => {
    const draws = 40_000
    const counts = list.map(() => 0)
    for (let lead_index = 0; lead_index < draws; lead_index++) {
      const chosen = chooseVariant(weights(...list), { campaign_id, lead_index, step: 1 }) ?? -1
      counts[chosen] = (counts[chosen] ?? 0) + 1
    }
    const total = list.reduce((sum, weight) => sum + weight, 0)
    for (const [index, weight] of list.entries()) {
      const share = weight / total
      // Five standard deviations: this is one fixed sample, so it either always passes or never.
      const slack = 5 * Math.sqrt((share * (1 - share)) / draws)
      expect(Math.abs((counts[index] ?? 0) / draws - share)).toBeLessThanOrEqual(slack)
    }
  })

  test('in one step says nothing about the next', () => {
    let both = 0
    for (let lead_index = 0; lead_index < 10_000; lead_index++) {
      const first = chooseVariant(weights(1, 1), { campaign_id, lead_index, step: 1 })
      const second = chooseVariant(weights(1, 1), { campaign_id, lead_index, step: 2 })
      if (first === 0 && second === 0) both++
    }
    expect(both).toBeGreaterThan(2_300)
    expect(both).toBeLessThan(2_700)
  })
})

test('the hash is pinned: a release that changed it would reassign variants of running campaigns', () => {
  const seed = campaignSeed(campaign_id)
  expect(seed).toMatchInlineSnapshot(`2154470079`)
  expect([0, 1, 2].map((lead) => actionFraction(seed, 'jitter', lead, 1))).toMatchInlineSnapshot(`
    [
      0.4367716843262315,
      0.49859328637830913,
      0.6926650046370924,
    ]
  `)
})
