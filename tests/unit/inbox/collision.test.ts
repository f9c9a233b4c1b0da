import { expect, test } from 'vitest'
import { collisionMessage } from '#lib/domain/inbox/written/collision'

const at = new Date('2026-11-23T10:00:00Z')
const after = (minutes: number) => new Date(at.getTime() + minutes * 60_000)
const answer = {
  direction: 'out',
  from_address: 'team@example.com',
  from_name: 'Team',
  author_name: 'Ana',
  at,
}
const incoming = { ...answer, direction: 'in', from_address: 'bob@example.com', from_name: 'Bob' }

test.each([
  [answer, 0.9, 'Ana answered just now. Nothing was sent.'],
  [answer, -5, 'Ana answered just now. Nothing was sent.'],
  [answer, 1, 'Ana answered 1 minute ago. Nothing was sent.'],
  [answer, 59.9, 'Ana answered 59 minutes ago. Nothing was sent.'],
  [{ ...answer, author_name: null }, 60, 'Somebody answered 1 hour ago. Nothing was sent.'],
  [{ ...incoming, author_name: null }, 1439, 'Bob wrote 23 hours ago. Nothing was sent.'],
  [{ ...incoming, from_name: null }, 2880, 'bob@example.com wrote 2 days ago. Nothing was sent.'],
  [{ ...incoming, from_name: null, from_address: '' }, 1440, 'Somebody wrote 1 day ago. Nothing was sent.'],
])('of %j, %d minutes later: %s', (newest, minutes, message) => {
  expect(collisionMessage(newest, after(minutes))).toBe(message)
})
