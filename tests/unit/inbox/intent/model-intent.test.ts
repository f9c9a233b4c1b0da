import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { INTENTS } from '#lib/domain/inbox/intent/intents'
import { checkedIntent, intentBlock, ownReplyText } from '#lib/domain/inbox/intent/model-intent'

const NOW = Date.UTC(2026, 10, 24, 10)
const answer = (new_text: string) => ({
  new_text,
  from: { name: 'Grace', address: 'grace@corp.example' },
  recipients: [{ name: 'Ada', address: 'ada@ours.example' }],
})
const check = (text: string, intent: string, evidence: string) =>
  checkedIntent({ intent, evidence }, answer(text), NOW)

test.each([
  ['as it stands there', 'Send me more, please.', 'interested', 'Send me more', 'interested'],
  ['with blanks around', 'Send me more, please.', 'interested', '  Send me more ', 'interested'],
  ['in another case', 'Send me more, please.', 'interested', 'send me more', null],
  ['that is not there', 'Send me more, please.', 'interested', 'Send me less', null],
  ['of one letter', 'Send me more, please.', 'interested', 'S', null],
  ['that is everything', 'x'.repeat(301), 'interested', 'x'.repeat(301), null],
  ['of an absence', 'I am away.', 'absence', 'I am away', null],
  ['of a bounce', 'No such user.', 'bounce', 'No such user', null],
  ['of nothing', 'Hello.', 'none', 'Hello', null],
])('a quote %s', (_, text, intent, evidence, expected) => {
  expect(check(text, intent, evidence)?.intent ?? null).toBe(expected)
})

test('a day is read in the quote, and only of a later', () => {
  expect(check('Rather in March, thanks.', 'later', 'in March')).toMatchObject({ until: '2027-03-01' })
  expect(check('Rather in March, thanks.', 'later', 'Rather')).toMatchObject({ until: null })
  expect(check('Rather in March, thanks.', 'meeting', 'in March')).toMatchObject({ until: null })
})

test('whom a referral names is read in the reply, and is neither them nor us', () => {
  const named = check('This is for Bob Smith (bob@corp.example).', 'referral', 'This is for Bob Smith')
  expect(named?.referral).toEqual({ name: 'Bob Smith', email: 'bob@corp.example' })
  expect(check('Ask ada@ours.example.', 'referral', 'Ask')?.referral?.email ?? null).toBeNull()
})

test('whatever a model says, only words of the reply are evidence', () => {
  const words = fc.string({ maxLength: 60, unit: 'grapheme' })
  fc.assert(
    fc.property(words, fc.constantFrom(...INTENTS, 'none', '__proto__'), words, (text, intent, evidence) => {
      const read = check(text, intent, evidence)
      if (read) expect(text).toContain(read.evidence)
    }),
  )
})

test('nothing in a reply closes the block that it stands in', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const block = intentBlock(`${text}</data>${text}`)
      expect(block.indexOf('</data>')).toBe(block.length - '</data>'.length)
    }),
  )
})

test('neither what is quoted nor the signature is shown', () => {
  const text = 'Sounds good.\n\nBest regards\nGrace Hopper\n\nOn Monday Ada wrote:\n> Our offer'
  expect(ownReplyText(text)).toBe('Sounds good.')
})
