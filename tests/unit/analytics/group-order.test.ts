import { expect, test } from 'vitest'
import { isGroupOrder, sortGroups } from '#lib/domain/analytics/group-order'

const group = (name: string, sent: number, replied: number | null) => ({
  name,
  sent,
  contacted: sent,
  reply_rate: { rate: replied },
  bounce_rate: { rate: 0 },
  unsubscribed: 0,
})
const GROUPS = [group('beta', 5, null), group('Alpha', 9, 0.1), group('gamma', 5, 0.3)]

test.each([
  [undefined, ['beta', 'Alpha', 'gamma']],
  ['name', ['Alpha', 'beta', 'gamma']],
  ['-name', ['gamma', 'beta', 'Alpha']],
  ['-sent', ['Alpha', 'beta', 'gamma']],
  ['sent', ['beta', 'gamma', 'Alpha']],
  // A group without data is last, in either direction.
  ['replied', ['Alpha', 'gamma', 'beta']],
  ['-replied', ['gamma', 'Alpha', 'beta']],
  ['-bounced', ['beta', 'Alpha', 'gamma']],
])('groups by %s', (sort, names) => {
  expect(sortGroups(GROUPS, sort).map(({ name }) => name)).toEqual(names)
})

test('only orders that groups have are taken', () => {
  expect(['sent', '-replied', 'toString', '--sent', '', undefined, ['sent']].map(isGroupOrder)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
    false,
  ])
})
