import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fairShare } from '#lib/providers/reader/fair-share'

/** Serves one job at a time until none waits; `costs` gives the cost of a job by owner. */
function served(share: ReturnType<typeof fairShare<string>>, costs: Record<string, number> = {}, now = 0) {
  const order: string[] = []
  for (let turn = share.next(now); turn; turn = share.next(now)) {
    order.push(turn.job)
    share.ended(turn.owner, costs[turn.owner] ?? 10)
  }
  return order
}

test('whoever brings one job is served in the first round, however many another brought before', () => {
  const share = fairShare<string>()
  for (let n = 0; n < 500; n++) share.add('a', `a${n}`)
  share.add('b', 'b0')
  expect(served(share).slice(0, 2)).toEqual(['a0', 'b0'])
})

test('one owner never has two jobs under way', () => {
  const share = fairShare<string>()
  share.add('a', 'a0')
  share.add('a', 'a1')
  expect(share.next(0)?.job).toBe('a0')
  expect(share.next(0)).toBeNull()
  share.ended('a', 1)
  expect(share.next(0)?.job).toBe('a1')
})

test('time is shared, not turns: of two floods the one with jobs of ten times the length has a tenth of them', () => {
  const share = fairShare<string>()
  for (let n = 0; n < 400; n++) {
    share.add('long', 'long')
    share.add('short', 'short')
  }
  const first = served(share, { long: 1_000, short: 100 }).slice(0, 220)
  const long = first.filter((job) => job === 'long').length
  expect(long).toBeGreaterThan(15)
  expect(long).toBeLessThan(25)
})

test('an owner whose jobs were killed thrice in an hour is served when no other waits, and after the hour as all', () => {
  const share = fairShare<string>()
  for (const at of [0, 1, 2]) share.killed('a', at)
  const fill = () => {
    for (const owner of ['a', 'b']) for (let n = 0; n < 2; n++) share.add(owner, `${owner}${n}`)
  }
  fill()
  expect(served(share, {}, 1_000)).toEqual(['b0', 'b1', 'a0', 'a1'])
  fill()
  expect(served(share, {}, 3_600_100)).toEqual(['a0', 'b0', 'a1', 'b1'])
})

test('a job that is taken back is not served; one that began cannot be', () => {
  const share = fairShare<string>()
  share.add('a', 'a0')
  share.add('a', 'a1')
  share.next(0)
  expect([share.remove('a', 'a1'), share.remove('a', 'a0')]).toEqual([true, false])
  share.ended('a', 1)
  expect(share.next(0)).toBeNull()
})

test('property: every job is served once, those of one owner in their order, and none waits for two of another', () => {
  const jobs = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 0, max: 3 })), {
    maxLength: 60,
  })
  fc.assert(
    fc.property(jobs, (brought) => {
      const share = fairShare<string>()
      for (const [at, [owner]] of brought.entries()) share.add(owner, `${owner}${at}`)
      const order = served(share)
      expect(order.toSorted()).toEqual(brought.map(([owner], at) => `${owner}${at}`).toSorted())
      for (const owner of ['a', 'b', 'c']) {
        const mine = order.filter((job) => job.startsWith(owner)).map((job) => Number(job.slice(1)))
        expect(mine).toEqual(mine.toSorted((x, y) => x - y))
      }
    }),
  )
})
