import { describe, expect, test } from 'vitest'
import {
  isRunUnderWay,
  RUN_MOVES,
  RUN_STATUSES,
  RUN_VERBS,
  type RunStatus,
} from '#lib/domain/personalize/run-moves'
import {
  type CallEnd,
  MOST_CALLS,
  TEXT_MOVES,
  TEXT_VERBS,
  textAfter,
} from '#lib/domain/personalize/text-moves'

describe('a run', () => {
  test.each(RUN_STATUSES.filter((status) => !isRunUnderWay(status)))('that is %s moves no more', (over) => {
    const movable = RUN_VERBS.filter((verb) => RUN_MOVES[verb].from.some((from: RunStatus) => from === over))
    expect(movable).toEqual([])
  })

  test('ends by every verb but the one that takes it', () => {
    const ends = RUN_VERBS.filter((verb) => !isRunUnderWay(RUN_MOVES[verb].to))
    expect(ends).toEqual(RUN_VERBS.filter((verb) => verb !== 'take'))
  })
})

describe('the text for a lead', () => {
  const CASES: [end: CallEnd, calls: number, after: string][] = [
    ['written', 1, 'generated'],
    ['unusable', 1, 'failed'],
    ['impossible', 1, 'failed'],
    ['later', 1, 'pending'],
    ['rejected', MOST_CALLS, 'pending'],
    ['unknown', MOST_CALLS - 1, 'pending'],
    ['unknown', MOST_CALLS, 'failed'],
  ]

  test.each(CASES)('after a call that was %s, the %d. of its kind, is %s', (end, calls, after) => {
    expect(textAfter(end, calls)).toBe(after)
    expect(TEXT_MOVES.answer.to).toContain(after)
  })

  test('is approved as it was written alone, and written anew only by a person once it is over', () => {
    const written = TEXT_VERBS.filter((verb) => TEXT_MOVES[verb].from.some((from) => from === 'generated'))
    expect(written).toEqual(['approve', 'reject', 'edit', 'rewrite'])
    expect(TEXT_MOVES.approve.from).toEqual(['generated'])
  })
})
