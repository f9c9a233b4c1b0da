import { expect, test } from 'vitest'
import { aheadWords, chanceText } from '#components/analytics/ahead'

test.each([
  [0.5, 'Neither is ahead (50 % for B)'],
  [0.552, 'Neither is ahead (55 % for B)'],
  [0.56, 'B is better with 56 % probability'],
  [0.99, 'B is better with 99 % probability'],
  [0.996, 'B is better with over 99 % probability'],
  [1, 'B is better with over 99 % probability'],
])('a probability of %d is never told as a certainty', (probability, words) => {
  expect(aheadWords('B', probability, 'Neither is ahead')).toBe(words)
})

test('what hardly can be is not told as impossible', () => {
  expect(chanceText(0.001)).toBe('under 1 %')
  expect(chanceText(0.014)).toBe('1 %')
})
