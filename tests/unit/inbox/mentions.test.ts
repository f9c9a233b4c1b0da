import { expect, test } from 'vitest'
import { mentionedIn, splitMentions } from '#lib/domain/inbox/mentions'

const PEOPLE = [
  { user_id: 'ana', name: 'Ana' },
  { user_id: 'ana-lee', name: 'Ana Lee' },
  { user_id: 'zoe', name: 'Zoë' },
  { user_id: 'mail', name: 'ben@acme.test' },
  { user_id: 'none', name: '' },
]

test.each([
  ['@Ana look', ['ana']],
  ['@ana lee, and @ANA!', ['ana-lee', 'ana']],
  ['@Anabel and x@Ana', []],
  ['(@Zoë)', ['zoe']],
  ['@ben@acme.test: yours', ['mail']],
  ['@Ana @Ana', ['ana']],
  ['@', []],
  ['', []],
])('%s mentions %j', (text, ids) => {
  expect(mentionedIn(text, PEOPLE)).toEqual(ids)
})

test('its pieces are the text again', () => {
  const text = 'See @Ana Lee, @Zoë.\n@Nobody'
  const pieces = splitMentions(text, PEOPLE)
  expect(pieces.map((piece) => piece.text).join('')).toBe(text)
  expect(pieces.filter(({ user_id }) => user_id)).toEqual([
    { text: '@Ana Lee', user_id: 'ana-lee' },
    { text: '@Zoë', user_id: 'zoe' },
  ])
})
