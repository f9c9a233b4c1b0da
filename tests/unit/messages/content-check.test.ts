import { describe, expect, test } from 'vitest'
import { type CheckedMail, checkContent } from '#lib/domain/messages/content/content-check'
import { readWords, withoutFields } from '#lib/domain/messages/content/mail-words'
import { SPAM_PHRASES, spamPhrases } from '#lib/domain/messages/content/spam-phrases'

const GOOD: CheckedMail = {
  subject: 'Routes to Bergen',
  body: 'Hello Ingrid,\n\nyou ship to Bergen twice a week. Would a third day help? Details are at https://nordfrakt.example/bergen.\n\nPetra',
  is_first: true,
}
const found = (mail: Partial<CheckedMail>) =>
  checkContent({ ...GOOD, ...mail }).map(({ code, severity, words }) => [code, severity, words])
const links = (...urls: string[]) =>
  `<p>${'A sentence that says something, so that there is text. '.repeat(3)}</p>${urls.map((url, i) => `<a href="${url}">Link ${i}</a>`).join(' ')}`

test('a plain, honest mail has no findings', () => expect(found({})).toEqual([]))

describe('subjects', () => {
  test.each([
    ['Re: our talk', 'subject_false_reply', ['Re:']],
    ['FWD : our talk', 'subject_false_reply', ['FWD :']],
    ['AW: Angebot', 'subject_false_reply', ['AW:']],
    ['LAST CHANCE FOR YOU', 'subject_capitals', ['LAST CHANCE FOR YOU']],
    ['Save money!!!', 'subject_marks', ['!!!']],
    ['Is this $$ real', 'subject_marks', ['$$']],
    ['Act now, Ingrid', 'subject_phrases', ['act now']],
    ['Sie haben gewonnen', 'subject_phrases', ['sie haben gewonnen']],
  ])('%s: %s', (subject, code, words) => expect(found({ subject })).toEqual([[code, 'warns', words]]))

  test.each(['Regarding Bergen', 'Reply to your ad', 'IT for AI', 'Bergen!', 'RE-use of pallets', null])(
    '%s is fine',
    (subject) => expect(found({ subject })).toEqual([]),
  )
  test('an answer in a thread may say Re:', () =>
    expect(found({ subject: 'Re: our talk', is_first: false })).toEqual([]))
  test('a long one is said to be long', () =>
    expect(found({ subject: 'a b'.repeat(24) })).toEqual([['subject_long', 'informs', []]]))
})

describe('links', () => {
  const four = ['a', 'b', 'c', 'd'].map((name) => `https://${name}.example/`)
  test('more than three addresses in a first mail, six later', () => {
    expect(found({ body: links(...four) })).toEqual([
      ['links_many', 'warns', ['a.example', 'b.example', 'c.example', 'd.example']],
    ])
    expect(found({ body: links(...four), is_first: false })).toEqual([])
    expect(found({ body: links(...four.slice(1), ...four.slice(1)) })).toEqual([])
  })
  test.each([
    ['https://bit.ly/abc', [['link_shortened', 'warns', ['bit.ly']]]],
    ['https://www.tinyurl.com/abc', [['link_shortened', 'warns', ['tinyurl.com']]]],
    ['https://192.0.2.7/x', [['link_to_number', 'warns', ['192.0.2.7']]]],
    ['http://a.example/', [['link_unencrypted', 'informs', ['a.example']]]],
    ['mailto:a@b.example', []],
    ['https://notbit.ly/abc', []],
  ])('%s', (url, expected) => expect(found({ body: links(url) })).toEqual(expected))

  const shown = (text: string) => `${links()}<a href="https://a.example/x">${text}</a>`
  test.each([
    ['b.example/x', ['b.example/x → a.example']],
    ['https://www.b.example', ['https://www.b.example → a.example']],
    ['www.<b>b.example</b>', ['www.b.example → a.example']],
  ])('a text that shows another host: %s', (text, words) =>
    expect(found({ body: shown(text) })).toEqual([['link_shows_other_host', 'warns', words]]),
  )
  test.each(['a.example', 'https://www.a.example/x', 'Our offer', 'me@b.example', 'v1.2'])(
    'one that does not: %s',
    (text) => expect(found({ body: shown(text) })).toEqual([]),
  )
  test('tracked clicks make every shown address another one', () => {
    expect(found({ click_host: 'track.opener.example' })).toEqual([
      ['link_shows_other_host', 'warns', ['https://nordfrakt.example/bergen → track.opener.example']],
    ])
    expect(found({ body: links('https://a.example/'), click_host: 'track.opener.example' })).toEqual([])
  })
  test('the link to unsubscribe is not counted', () =>
    expect(found({ body: links('https://bit.ly/u'), ours: ['https://bit.ly/u'] })).toEqual([]))
})

describe('bodies', () => {
  test.each([
    ['<img src="https://a.example/a.png" alt="Sale">', [['image_without_text', 'warns', []]]],
    [`${links()}<img src="https://a.example/a.png">`, [['image_without_description', 'informs', []]]],
    [
      `${links()}<img src="https://a.example/p" width="1" height="1" alt="">`,
      [['pixel_in_first_mail', 'warns', []]],
    ],
    ['Hello, click here.', [['spam_phrases', 'informs', ['click here']]]],
    [
      'Dear friend, buy now: haga clic aquí',
      [['spam_phrases', 'warns', ['dear friend', 'buy now', 'haga clic aquí']]],
    ],
    ['Hello {first_name},', [['field_left_over', 'warns', ['{first_name}']]]],
    ['Hello *|FNAME|* of [Company],', [['field_left_over', 'warns', ['*|FNAME|*', '[Company]']]]],
    ['Hello %FIRST_NAME%', [['field_left_over', 'warns', ['%FIRST_NAME%']]]],
    ['Up 20% to 30% [1], {a, b} and [sic]', []],
    ['word '.repeat(251), [['text_long', 'informs', []]]],
    ['word '.repeat(250), []],
  ])('%s', (body, expected) => expect(found({ body })).toEqual(expected))

  test('Gmail clips what is over 102 KB', () =>
    expect(found({ body: `<p>${'é'.repeat(51_000)}</p>`, is_first: false })).toEqual([
      ['body_clipped', 'warns', []],
    ]))
})

describe('texts as they are written', () => {
  test('fields are no words, and choices are all read', () => {
    expect(withoutFields('Hi {{ first_name }}{% if a %}, b{% endif %}')).toBe('Hi x, b')
    expect(spamPhrases(withoutFields('{Act now|Buy now}, {{ name }}'))).toEqual(['act now', 'buy now'])
  })
  test('a link that a field makes up is not judged', () =>
    expect(
      readWords(withoutFields('<a href="{{ website }}">a.example</a><a href="https://{{ d }}">b</a>')).links,
    ).toEqual([]))
  test('a field within an address leaves its host', () =>
    expect(readWords(withoutFields('<a href="https://a.example/{{ id }}">b</a>')).links[0]?.url.host).toBe(
      'a.example',
    ))
  test('each phrase of each language is found, and says where it comes from', () => {
    for (const { source, phrases } of Object.values(SPAM_PHRASES)) {
      expect(source).toMatch(/^https?:\/\//)
      for (const phrase of phrases) expect(spamPhrases(`So: ${phrase}!`)).toContain(phrase)
    }
  })
})
