import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fairTurns } from '#lib/domain/sending/fair-turns'

type Item = { owner: string; no: number }
const many = (owner: string, count: number): Item[] =>
  Array.from({ length: count }, (_, no) => ({ owner, no }))
const ownerOf = ({ owner }: Item) => owner

test('one of another’s is among the first two, however many of one owner’s stand before it', () => {
  const turns = fairTurns([...many('a', 500), ...many('b', 1)], ownerOf)
  expect([turns.take()?.owner, turns.take()?.owner]).toEqual(['a', 'b'])
})

test('while both wait, each has half of the lanes; alone, an owner has all of them', () => {
  const turns = fairTurns([...many('a', 500), ...many('b', 20)], ownerOf)
  const six = Array.from({ length: 6 }, () => turns.take()?.owner)
  expect(six.filter((owner) => owner === 'b')).toHaveLength(3)
  const alone = fairTurns(many('a', 6), ownerOf)
  expect(Array.from({ length: 6 }, () => alone.take()?.owner)).toEqual(Array(6).fill('a'))
})

test('a lane that is free again goes to whoever has the fewest under way', () => {
  const turns = fairTurns([...many('a', 3), ...many('b', 3)], ownerOf)
  const [a, b] = [turns.take(), turns.take()]
  expect([a?.owner, b?.owner]).toEqual(['a', 'b'])
  if (b) turns.done(b)
  expect(turns.take()?.owner).toBe('b')
})

test('property: all are taken once, those of one owner in their order', () => {
  const items = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 40 })
  fc.assert(
    fc.property(items, (owners) => {
      const given = owners.map((owner, no) => ({ owner, no }))
      const turns = fairTurns(given, ownerOf)
      const taken: Item[] = []
      for (let item = turns.take(); item; item = turns.take()) taken.push(item)
      expect(taken.toSorted((x, y) => x.no - y.no)).toEqual(given)
      for (const owner of ['a', 'b', 'c']) {
        const mine = taken.filter((item) => item.owner === owner).map(({ no }) => no)
        expect(mine).toEqual(mine.toSorted((x, y) => x - y))
      }
    }),
  )
})
