import { expect, test } from 'vitest'
import {
  judgeSender,
  retryAfter,
  type SenderShown,
  type SenderState,
} from '#lib/domain/sending/sender-failures'

const MINUTE = 60_000
const SOUND: SenderState = { failing_since: null, failing_tries: 0, last_checked_at: null }
const DOWN: SenderState = { failing_since: 1_000, failing_tries: 2, last_checked_at: null }
const FAULT: SenderShown = { cause: 'unreachable', said: 'no' }
const NOW = 10 * MINUTE

test('the next try comes after 1, 2, 4 … 60 minutes, and never later', () => {
  expect([1, 2, 3, 4, 5, 6, 7, 8, 1_000].map((tries) => retryAfter(tries) / MINUTE)).toEqual([
    1, 2, 4, 8, 16, 32, 60, 60, 60,
  ])
})

test.each<[string, SenderState, { at: number; sender: SenderShown }[], object | null]>([
  ['one that works and works says nothing new', SOUND, [{ at: 5, sender: 'works' }], null],
  [
    'a first fault begins an outage',
    SOUND,
    [{ at: 5, sender: FAULT }],
    { becomes: 'failing', tries: 1, since: NOW, next_try_at: NOW + MINUTE },
  ],
  [
    'many faults at once are one',
    SOUND,
    Array(150).fill({ at: 5, sender: FAULT }),
    { becomes: 'failing', tries: 1 },
  ],
  [
    'a fault counts, whatever else arrived at the same time',
    SOUND,
    [
      { at: 5, sender: 'works' },
      { at: 5, sender: FAULT },
    ],
    { becomes: 'failing', tries: 1 },
  ],
  [
    'a fault from before a test that went well says nothing',
    { ...SOUND, last_checked_at: 6 },
    [{ at: 5, sender: FAULT }],
    null,
  ],
  ['what was under way before the outage is no try', DOWN, [{ at: 1_000, sender: FAULT }], null],
  ['nor does it show that it is over', DOWN, [{ at: 1_000, sender: 'works' }], null],
  [
    'a try in vain makes the next one later',
    DOWN,
    [{ at: 1_001, sender: FAULT }],
    { becomes: 'failing', tries: 3, since: 1_000, next_try_at: NOW + 4 * MINUTE },
  ],
  ['a try that went well ends it', DOWN, [{ at: 1_001, sender: 'works' }], { becomes: 'connected' }],
  [
    'a try that met nothing of the sender leaves its turn to another',
    DOWN,
    [{ at: 1_001, sender: 'untried' }],
    { becomes: 'untried' },
  ],
])('%s', (_, state, shown, verdict) => {
  const found = judgeSender(state, shown, NOW)
  if (verdict === null) expect(found).toBeNull()
  else expect(found).toMatchObject(verdict)
})
