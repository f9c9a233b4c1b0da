import { expect, test } from 'vitest'
import { startersFor } from '#components/assistant/starters'

type Standing = NonNullable<Parameters<typeof startersFor>[0]>['standing']

const WHY = 'Why is it not sending?'
const wordsFor = (standing: Standing) => startersFor({ standing }).map(({ words }) => words)
const notRunning = (status: string): Standing => ({ code: 'not_running', params: { status } })

test.each([
  { code: 'due_now' as const, params: {} },
  { code: 'min_interval' as const, params: {} },
  { code: 'delay' as const, params: {} },
  notRunning('draft'),
  notRunning('launching'),
])('a campaign that nothing holds back is not asked why it does not send: %o', (standing) => {
  expect(wordsFor(standing)).toEqual(['When will it finish?', 'Forecast this campaign', 'What can you do?'])
})

test.each([
  { code: 'paused' as const, params: {} },
  { code: 'window' as const, params: {} },
  { code: 'sender_failing' as const, params: {} },
  notRunning('failed'),
  notRunning('scheduled'),
  null,
])('one that is held back is asked why first: %o', (standing) => {
  expect(wordsFor(standing)[0]).toBe(WHY)
})

test('of one that is completed, and where there is none, nothing to come is asked', () => {
  const anywhere = startersFor(null).map(({ words }) => words)
  expect(anywhere[0]).toBe('List my campaigns')
  expect(wordsFor(notRunning('completed'))).toEqual(anywhere)
})
