import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { forecast } from '#lib/domain/forecast/forecast'
import { runToEnd } from '#lib/domain/forecast/with-pauses'
import { compareTurns, countTurn, createTurns, toShares } from '#lib/domain/sending/member-rotation'
import { FRESH_PACE } from '#lib/domain/sending/pacing'
import { claim, type Paper, type Performed, runToTheEnd } from '#tests/support/doubles/paper-dispatcher'
import { ALWAYS_OPEN, aSender } from '#tests/support/scenes/campaign-arbitraries'

const campaign = ALWAYS_OPEN
const FROM = campaign.launched_at
/** A campaign with a mailbox for each entry, assigned to these members. */
const paper = (given: string[][], leads: number, limits: (number | null)[] = []): Paper => ({
  campaign,
  pace: FRESH_PACE,
  senders: given.map((_, index) => aSender(`box-${index}`, { daily_limit: limits[index] ?? null })),
  rotation: { members: new Map(given.map((people, index) => [`box-${index}`, people])), shares: {} },
  owner_timezone: 'UTC',
  new_leads: Array.from({ length: leads }, (_, index) => index),
  waiting: [],
})
const perSender = (performed: Performed[], count: number) =>
  Array.from(
    { length: count },
    (_, index) => performed.filter(({ sender_id }) => sender_id === `box-${index}`).length,
  )

describe('new leads are spread over', () => {
  test.each<[string, string[][], number[]]>([
    ['members, whoever has more mailboxes', [['ana'], ['ana'], ['ana'], ['ben']], [10, 10, 10, 30]],
    ['members and what nobody was given, as one more', [['ana'], [], []], [30, 15, 15]],
    ['members, of whom two share one', [['ana', 'ben'], ['carl']], [40, 20]],
    ['members, of whom one shares another’s too', [['ana'], ['ana', 'ben'], ['ben']], [20, 20, 20]],
    ['mailboxes, where one person has all', [['ana'], ['ana']], [30, 30]],
  ])('%s', (_, given, expected) => {
    const limits = given.map(() => 1_000)
    expect(perSender(runToTheEnd(paper(given, 60, limits), FROM, 7), given.length)).toEqual(expected)
  })

  test('whoever has room, where a member’s mailbox is full, who then catches up', () => {
    const start = paper([['ana'], ['ben']], 40, [5, 1_000])
    const performed = runToTheEnd({ ...start, new_leads: start.new_leads.slice(0, 30) }, FROM, 50)
    expect(perSender(performed, 2)).toEqual([5, 25])
    const again: Performed[] = []
    const next = {
      ...start,
      rotation: { ...start.rotation, shares: { ana: 5 * 2_520, ben: 25 * 2_520 } },
    } as Paper
    next.senders = [aSender('box-0'), aSender('box-1')]
    let now: number | null = FROM
    for (let turn = 0; turn < 10 && now !== null; turn++) now = claim(next, now, 1, again)
    expect(perSender(again, 2)).toEqual([10, 0])
  })
})

test('whoever is given a mailbox later begins with the least of the others, and makes up for nothing', () => {
  const members = new Map([
    ['a', ['ana']],
    ['b', ['ben']],
    ['c', ['carl']],
  ])
  const turns = createTurns(
    { members, shares: { ana: 500, ben: 400, gone: 9 } },
    [...members.keys()].map((sender_id) => ({ sender_id })),
  )
  expect(toShares(turns)).toEqual({ ana: 500, ben: 400, carl: 400, gone: 9 })
})

test('after any number of leads no two members with a mailbox each are more than one apart', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 0, max: 40 }), (people, leads) => {
      const ids = Array.from({ length: people }, (_, index) => `box-${index}`)
      const members = new Map(ids.map((id, index) => [id, [`person-${index}`]]))
      const senders = ids.map((sender_id) => ({ sender_id }))
      const turns = createTurns({ members, shares: {} }, senders)
      for (let lead = 0; lead < leads; lead++) {
        let best = 0
        for (const index of ids.keys()) if (compareTurns(turns, index, best) < 0) best = index
        countTurn(turns, best)
      }
      const counts = Object.values(toShares(turns)).map((parts) => parts / 2_520)
      expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1)
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(leads)
    }),
  )
})

test('no lead goes earlier or later because members take turns, where every mailbox has room', () => {
  const start = paper([['ana'], ['ana'], ['ben']], 20)
  const { rotation: _, ...byRoom } = start
  const times = (one: Paper) => runToEnd(forecast({ ...one, follow_ups: [], starts_at: FROM })).at
  expect(times(start)).toEqual(times(byRoom))
})
