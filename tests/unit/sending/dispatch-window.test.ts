import { expect, test } from 'vitest'
import { createWindow } from '#lib/services/sending/underway'

/** Simulates a server that finishes `perSecond` messages for two seconds, as fast as the window allows. */
function windowAfter(perSecond: number, mailboxes: number, capacity = 100) {
  let now = 0
  const window = createWindow(capacity, () => new Date(now))
  for (let i = 0; i < mailboxes; i++) window.opened(`mailbox-${i}`)
  let due = 0
  let size = 0
  for (; now < 2_000; now += 10) {
    due += perSecond / 100
    for (; due >= 1; due -= 1) window.finished()
    size = window.size()
  }
  return size
}

test.each([
  ['one mailbox of a slow server', 14, 1, 8],
  ['three of them', 43, 3, 18],
  ['many of them: never more than the worker can take', 400, 30, 100],
  ['a quick server: a fifth of a second of its work', 300, 1, 60],
  ['a very quick one: what the worker can take', 5_000, 1, 100],
  ['nothing finished at all', 0, 1, 8],
])('%s', (_, perSecond, mailboxes, expected) => {
  expect(windowAfter(perSecond, mailboxes)).toBe(expected)
})

test('a server that becomes slow loses its places again', () => {
  let now = 0
  const window = createWindow(100, () => new Date(now))
  for (let i = 0; i < 100; i++) window.finished()
  now = 100
  expect(window.size()).toBe(100)
  now = 200
  expect(window.size()).toBe(8)
})

test('a slow database is asked for more at a time, a slow server is not given more', () => {
  /** Each round finishes everything in flight: claimed and written in `database` ms, sent in `server` ms. */
  const after = (database: number, server: number) => {
    let now = 0
    const window = createWindow(150, () => new Date(now))
    window.opened('mailbox')
    for (let round = 0; round < 20; round++) {
      const underway = window.size()
      window.claimed(database / 2)
      now += database + server
      for (let i = 0; i < underway; i++) window.finished()
    }
    return window.size()
  }
  expect(after(500, 50)).toBe(150)
  expect(after(20, 1_000)).toBe(8)
})
