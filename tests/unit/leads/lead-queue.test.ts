import fc from 'fast-check'
import { expect, test } from 'vitest'
import { headDue, headPlace, headRank, leadQueue, pop, push } from '#lib/domain/sending/lead-queue'

test('leads come out by due time, ties by lead_index, whatever the order of pushes and pops', () => {
  const command = fc.option(fc.record({ due: fc.nat(5), rank: fc.nat(1_000) }), { freq: 3 })
  fc.assert(
    fc.property(fc.array(command, { maxLength: 200 }), (commands) => {
      const queue = leadQueue(2)
      const model: { due: number; rank: number; place: number }[] = []
      for (const [place, entry] of commands.entries()) {
        if (entry) {
          push(queue, entry.due, entry.rank, place)
          model.push({ ...entry, place })
          model.sort((a, b) => a.due - b.due || a.rank - b.rank)
        } else {
          pop(queue)
          const gone = model.shift()
          if (gone) model.sort((a, b) => a.due - b.due || a.rank - b.rank)
        }
        expect(queue.size).toBe(model.length)
        expect(headDue(queue)).toBe(model[0]?.due ?? Number.POSITIVE_INFINITY)
        if (model[0]) expect(headRank(queue)).toBe(model[0].rank)
      }
    }),
  )
})

test('each entry keeps its own place', () => {
  const queue = leadQueue(1)
  for (const [place, due] of [5, 3, 9, 1].entries()) push(queue, due, place, place)
  const places = [0, 1, 2, 3].map(() => {
    const place = headPlace(queue)
    pop(queue)
    return place
  })
  expect(places).toEqual([3, 1, 0, 2])
})
