import { setImmediate as afterTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createTurns } from '#lib/http/turns'

test('of many that come at once one begins in each turn of the loop, in their order', async () => {
  const nextTurn = createTurns()
  const begun: number[] = []
  const seen: number[] = []
  const all = Promise.all([0, 1, 2, 3, 4].map((name) => nextTurn().then(() => begun.push(name))))
  while (begun.length < 5) {
    seen.push(begun.length)
    await afterTurn()
  }
  await all
  expect(begun).toEqual([0, 1, 2, 3, 4])
  expect(seen).toEqual([0, 1, 2, 3, 4])
})

test('whoever comes once nobody waits has the next turn', async () => {
  const nextTurn = createTurns()
  await nextTurn()
  let turns = 0
  const counted = nextTurn().then(() => turns)
  await afterTurn()
  turns += 1
  expect(await counted).toBeLessThanOrEqual(1)
})
