import { describe, expect, test } from 'vitest'
import { forwardSubject, withoutUnsubscribeLinks } from '#lib/domain/inbox/written/forwarded'

const TOKEN = `u1.${'aB_-'.repeat(16)}`

describe('the way out of the lead', () => {
  test.each([
    [`Use https://own.test/unsubscribe/${TOKEN} now`, 'Use [unsubscribe link] now'],
    [`<http://own.test/u/${TOKEN}>.`, '<[unsubscribe link]>.'],
    [`unsubscribe ${TOKEN}`, 'unsubscribe [unsubscribe link]'],
    [`https://a.test/${TOKEN}?x https://a.test/${TOKEN}`, '[unsubscribe link]?x [unsubscribe link]'],
    [`${TOKEN}x`, `${TOKEN}x`],
    ['nothing here', 'nothing here'],
  ])('of %j is out of it', (text, expected) => {
    expect(withoutUnsubscribeLinks(text)).toBe(expected)
  })
})

test.each([
  ['Prices', 'Fwd: Prices'],
  ['Fwd: Prices', 'Fwd: Prices'],
  ['WG: Preise', 'WG: Preise'],
  ['Re: Prices', 'Fwd: Re: Prices'],
])('%s is forwarded as %s', (subject, expected) => {
  expect(forwardSubject(subject)).toBe(expected)
})
