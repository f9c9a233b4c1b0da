import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  countCharacters,
  findPublished,
  nextAttempt,
  nextCheck,
  nextMetrics,
  postProblem,
} from '#lib/domain/social/social-post'
import { listCursor, readListCursor } from '#lib/domain/text/list-cursor'
import { fileToken, readFileToken } from '#lib/domain/tokens/file-token'

const MINUTE = 60_000
const DAY = 1_440 * MINUTE
const at = new Date('2026-03-02T09:00:00.000Z')
const plus = (ms: number) => new Date(at.getTime() + ms)
const minutesTo = (next: Date | null) => next && (next.getTime() - at.getTime()) / MINUTE

describe('a cursor', () => {
  const instants = fc.integer({ min: 0, max: 4_102_444_800_000 })

  test('reads back as what it was made of', () => {
    fc.assert(
      fc.property(instants, fc.uuid(), (instant, id) => {
        expect(readListCursor(listCursor({ at: instant, id }))).toEqual({ at: instant, id })
      }),
    )
  })

  test('is refused where anything of it was changed, added or is none', () => {
    fc.assert(
      fc.property(
        instants,
        fc.uuid(),
        fc.nat(70),
        fc.string({ minLength: 1, maxLength: 3 }),
        (instant, id, place, more) => {
          const cursor = listCursor({ at: instant, id })
          const changed = cursor.slice(0, place) + more + cursor.slice(place + 1)
          const read = readListCursor(changed)
          // The change may yield the valid cursor of another row; any cursor that is accepted is in canonical form.
          expect(read === null || listCursor(read) === changed).toBe(true)
          expect(readListCursor(`${cursor}=`)).toBeNull()
        },
      ),
    )
    for (const none of ['', 'no cursor', 'null', listCursor({ at: 1, id: 'x' })])
      expect(readListCursor(none)).toBeNull()
  })
})

test('an address of a file opens that file of that owner, all day long and not for ever', () => {
  const key = new Uint8Array(32).fill(7)
  const ids = { workspace_id: crypto.randomUUID(), file_id: crypto.randomUUID() }
  const token = fileToken(ids, at.getTime(), key)
  expect(fileToken(ids, at.getTime() + 14 * 60 * MINUTE, key)).toBe(token)
  expect(readFileToken(token, at.getTime() + DAY, key)).toEqual(ids)
  expect(readFileToken(token, at.getTime() + 2 * DAY, key)).toBeNull()
  expect(readFileToken(token, at.getTime(), new Uint8Array(32))).toBeNull()
  expect(readFileToken(`${token}A`, at.getTime(), key)).toBeNull()
})

test.each([
  ['Hello', 5],
  ['Grüße', 5],
  ['👋🏽 hi', 5],
  ['a\nb', 3],
])('%j has %i characters', (text, characters) => {
  expect(countCharacters(text)).toBe(characters)
})

test.each([
  ['linkedin', 3_000, false, null],
  ['linkedin', 3_001, false, 'text'],
  ['twitter', 280, false, null],
  ['twitter', 281, true, 'text'],
  ['instagram', 10, false, 'image'],
  ['instagram', 10, true, null],
  ['whatsapp', 10, true, 'connected_account_id'],
])('on %s, %i characters, image %s: %s', (network, length, hasImage, field) => {
  expect(postProblem(network, '😀'.repeat(length), hasImage)?.field ?? null).toBe(field)
})

test.each([
  [1, null, 1],
  [2, null, 5],
  [5, null, 240],
  [6, null, null],
  [1, 600, 10],
  [5, 600, 240],
  [1, 10 * 86_400, 1_440],
])('after %i failures, told to wait %s s: in %s minutes', (failures, wait, minutes) => {
  expect(minutesTo(nextAttempt(failures, at, wait))).toBe(minutes)
})

test('evidence is looked for often at first, then hourly, for a day', () => {
  const gaps = [0, 5, 30, 600].map((age) => minutesTo(nextCheck(plus(-age * MINUTE), at)))
  expect(gaps).toEqual([1, 5, 30, 60])
  expect(nextCheck(plus(-DAY - 1), at)).toBeNull()
})

test('a post is counted hourly for two days, daily for thirty, and no more', () => {
  let now = at
  const ages: number[] = []
  for (;;) {
    const next = nextMetrics(at, now)
    if (!next) break
    now = next
    ages.push((now.getTime() - at.getTime()) / (60 * MINUTE))
  }
  expect(ages.slice(0, 3)).toEqual([1, 2, 3])
  expect(ages).toHaveLength(48 + 28)
  expect(ages.at(-1)).toBe(30 * 24)
})

describe('evidence', () => {
  const seen = (fields: object = {}) => ({
    provider_post_id: 'p1',
    text: 'Hello world',
    at: plus(MINUTE),
    ...fields,
  })
  const offer = { text: 'Hello  world ', offered_at: at }
  const none = new Set<string>()

  test.each([
    ['the same words after the offer', seen(), true],
    ['white space apart', seen({ text: 'Hello\nworld' }), true],
    ['by a clock that is a little behind', seen({ at: plus(-4 * MINUTE) }), true],
    ['from before the offer', seen({ at: plus(-6 * MINUTE) }), false],
    ['other words', seen({ text: 'Hello there' }), false],
    ['the beginning only', seen({ text: 'Hello' }), false],
  ])('%s: %#', (_, post, isEvidence) => {
    expect(findPublished(offer, [post], none)?.provider_post_id ?? null).toBe(isEvidence ? 'p1' : null)
  })

  test('a network may have shortened the addresses', () => {
    const linked = { text: 'Read https://example.com/a/long/way now', offered_at: at }
    expect(findPublished(linked, [seen({ text: 'Read https://lnkd.in/x now' })], none)).not.toBeNull()
  })

  test('what is known as another post is none; of several the earliest is', () => {
    const posts = [
      seen({ provider_post_id: 'late', at: plus(9 * MINUTE) }),
      seen({ provider_post_id: 'early' }),
      seen(),
    ]
    expect(findPublished(offer, posts, new Set(['p1', 'early']))?.provider_post_id).toBe('late')
    expect(findPublished(offer, posts, new Set(['p1']))?.provider_post_id).toBe('early')
  })
})
