import { expect, test } from 'vitest'
import { createGate } from '#lib/services/instance/admission-gate'

/** Work that ends on demand. */
function held() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { work: () => promise, end: resolve }
}
const settled = () => new Promise((resolve) => setImmediate(resolve))

test('so many work, so many wait, and the rest is sent away at once', async () => {
  const enter = createGate({ at_once: 2, waiting: 3 })
  const jobs = Array.from({ length: 7 }, held)
  let running = 0
  let most = 0
  const ended: number[] = []
  const all = jobs.map(({ work }, index) =>
    enter(async () => {
      running += 1
      most = Math.max(most, running)
      await work()
      running -= 1
    }).then((outcome) => {
      if (outcome) ended.push(index)
      return outcome !== null
    }),
  )
  await settled()
  expect([running, await all[5], await all[6]]).toEqual([2, false, false])
  for (const { end } of jobs) {
    end()
    await settled()
  }
  expect(await Promise.all(all)).toEqual([true, true, true, true, true, false, false])
  expect([most, ended]).toEqual([2, [0, 1, 2, 3, 4]])
})

test('work that fails gives its place back', async () => {
  const enter = createGate({ at_once: 1, waiting: 0 })
  const fail = () => enter(() => Promise.reject(new Error('no')))
  await expect(fail()).rejects.toThrow('no')
  expect(await enter(async () => 7)).toEqual({ done: 7 })
})
