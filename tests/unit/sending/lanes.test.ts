import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  ANY_SENDER,
  findLane,
  joinLane,
  type LaneState,
  LOST_SENDER,
  laneToCome,
  makeLanes,
  nextLane,
  openLane,
} from '#lib/domain/sending/lanes'
import { headDue, headRank, pop } from '#lib/domain/sending/lead-queue'

const SIZE = { meters: 6, kinds: 2 }
const place = ({ sender, action }: LaneState) => sender * SIZE.kinds + action

/** Every lane of a sender with leads, and when its first lead may be sent. */
function everyLane(lanes: ReturnType<typeof makeLanes>, ready: Float64Array) {
  return lanes.all
    .filter((lane): lane is LaneState => lane !== undefined && lane.sender >= 0 && lane.queue.size > 0)
    .map((lane) => ({ lane, when: Math.max(headDue(lane.queue), ready[place(lane)] ?? 0) }))
}

const event = fc.oneof(
  fc.record({
    is: fc.constant('join' as const),
    sender: fc.integer({ min: LOST_SENDER, max: SIZE.meters - 1 }),
    action: fc.nat(SIZE.kinds - 1),
    due: fc.nat(40),
    rank: fc.nat(1_000),
  }),
  fc.record({
    is: fc.constant('later' as const),
    place: fc.nat(SIZE.meters * SIZE.kinds - 1),
    by: fc.nat(9),
  }),
  // Also backwards: a lead that was woken may be due before the previous one.
  fc.record({ is: fc.constant('take' as const), at: fc.nat(60) }),
)

test('who goes next, and when the first may where none does, is what asking every lane would say', () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 150 }), (events) => {
      const lanes = makeLanes(SIZE)
      const ready = new Float64Array(SIZE.meters * SIZE.kinds)
      for (const [index, one] of events.entries()) {
        if (one.is === 'join')
          joinLane(lanes, openLane(lanes, one.sender, one.action), ready, { ...one, place: index })
        if (one.is === 'later') ready[one.place] = (ready[one.place] ?? 0) + one.by
        if (one.is !== 'take') continue
        const every = everyLane(lanes, ready)
        const [first] = every
          .filter(({ when }) => when <= one.at)
          .sort(
            ({ lane: { queue: a } }, { lane: { queue: b } }) =>
              headDue(a) - headDue(b) || headRank(a) - headRank(b),
          )
        const lane = nextLane(lanes, ready, one.at)
        expect(lane && [headDue(lane.queue), headRank(lane.queue)]).toEqual(
          first ? [headDue(first.lane.queue), headRank(first.lane.queue)] : null,
        )
        if (lane) pop(lane.queue)
        else {
          const toCome = laneToCome(lanes, ready)
          const soonest = Math.min(...every.map(({ when }) => when))
          expect(toCome ? Math.max(headDue(toCome.queue), ready[place(toCome)] ?? 0) : Infinity).toBe(soonest)
        }
      }
    }),
    { numRuns: 500 },
  )
})

test('a lane is made when the first lead comes to it, and stays the same', () => {
  const lanes = makeLanes(SIZE)
  expect(findLane(lanes, ANY_SENDER, 1)).toBeUndefined()
  const lane = openLane(lanes, ANY_SENDER, 1)
  expect(findLane(lanes, ANY_SENDER, 1)).toBe(lane)
  expect(openLane(lanes, ANY_SENDER, 1)).toBe(lane)
  expect(lanes.all.filter(Boolean)).toHaveLength(1)
})
