import { expect, test } from 'vitest'
import { counted } from '#components/ui/counted'

test.each([
  [0, 'rows', '0 rows'],
  [1, 'rows', '1 row'],
  [1_240, 'leads', '1,240 leads'],
  [1, 'addresses', '1 address'],
  [1, 'mailboxes', '1 mailbox'],
  [1, 'deliveries', '1 delivery'],
  [1, 'people', '1 person'],
  [1, 'notes', '1 note'],
  [1, 'changes', '1 change'],
])('%i of the %s are %s', (count, noun, expected) => {
  expect(counted(count, noun)).toBe(expected)
})

test('a list that is counted no further says so', () => {
  expect(counted(10_000, 'people', 10_000)).toBe('10,000+ people')
  expect(counted(9_999, 'people', 10_000)).toBe('9,999 people')
})
