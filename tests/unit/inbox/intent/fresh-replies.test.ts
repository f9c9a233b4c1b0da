import { describe, expect, test } from 'vitest'
import { readIntent } from '#lib/domain/inbox/intent/read-intent'
import { newText } from '#lib/domain/inbox/new-text'
import { type FreshReply, freshReplies } from '#tests/support/files/fresh-replies'

const NOW = Date.UTC(2026, 10, 24, 10)

const intentOf = (text: string) =>
  readIntent(
    { new_text: newText(text), from: { name: 'Grace', address: 'grace@corp.example' }, recipients: [] },
    NOW,
  )?.intent ?? 'none'

const { development, heldOut, unseen } = freshReplies()

const PARTS: { part: string; replies: FreshReply[]; right: number; wrong: number }[] = [
  { part: 'development', replies: development, right: 0.96, wrong: 0.02 },
  { part: 'held out', replies: heldOut, right: 0.84, wrong: 0.03 },
  { part: 'unseen', replies: unseen, right: 0.72, wrong: 0.09 },
]

describe.each(PARTS)('of fresh replies ($part)', ({ replies, right, wrong }) => {
  const read = replies.map((one) => ({ ...one, read: intentOf(one.text) }))

  test(`at least ${right} of those that say what they want are read so`, () => {
    const telling = read.filter(({ intent }) => intent !== 'none')
    const found = telling.filter((one) => one.read === one.intent)
    expect(found.length / telling.length).toBeGreaterThanOrEqual(right)
  })

  test(`at most ${wrong} of the intents read are wrong`, () => {
    const named = read.filter((one) => one.read !== 'none')
    const mistaken = named.filter((one) => one.read !== one.intent)
    expect(mistaken.length / named.length).toBeLessThanOrEqual(wrong)
  })
})

test('of the fresh replies more than a quarter say nothing that would be an intent', () => {
  for (const part of [development, heldOut, unseen])
    expect(part.filter(({ intent }) => intent === 'none').length / part.length).toBeGreaterThan(0.25)
})

describe('what sounds like an intent and is another, or none', () => {
  test.each([
    ['none', 'We have a meeting with our customers on Tuesday'],
    ['none', 'Wir haben am Dienstag ein Meeting mit unserem Kunden.'],
    ['none', 'Please send the invoice to invoices@corp.example'],
    ['none', 'My new address is grace2@corp.example'],
    ['none', 'Wrong link!'],
    ['none', 'Je ne suis plus au bureau avant lundi'],
    ['none', 'nie jestem w stanie teraz rozmawiać'],
    ['meeting', "Tuesday doesn't work for me, how about Friday?"],
    ['interested', 'I am the head of purchasing and I decide on this. Tell me more.'],
  ])('%s: %s', (intent, text) => {
    expect(intentOf(text)).toBe(intent)
  })

  test.each([
    'We already have a call on Monday, see you then',
    'haben wir bereits besprochen, ich warte auf Ihr Angebot',
    'Nobody wants to miss this, sign us up!',
  ])('no refusal: %s', (text) => {
    expect(intentOf(text)).not.toBe('not_interested')
  })
})
