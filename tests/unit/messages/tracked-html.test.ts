import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { buildMailMessage } from '#lib/domain/messages/mail-message'
import { withLinks, withPixel } from '#lib/domain/messages/tracked-html'

/** Replaces each target by `T(target)`, so that the result shows which targets were replaced. */
const shown = (html: string) => withLinks(html, (url) => `T(${url})`)

describe('links', () => {
  test.each([
    ['double quotes', '<a href="https://x.test/">x</a>', '<a href="T(https://x.test/)">x</a>'],
    ['single quotes', "<a href='http://x.test'>x</a>", '<a href="T(http://x.test)">x</a>'],
    ['no quotes', '<a href=https://x.test/a>x</a>', '<a href="T(https://x.test/a)">x</a>'],
    [
      'capitals and other attributes',
      '<A class="b" HREF="HTTPS://x.test" rel=z>x</A>',
      '<A class="b" HREF="T(HTTPS://x.test)" rel=z>x</A>',
    ],
    [
      'entities are read and written',
      '<a href="https://x.test/?a=1&amp;b=2">x</a>',
      '<a href="T(https://x.test/?a=1&amp;b=2)">x</a>',
    ],
    [
      'an anchor on the target',
      '<a href="https://x.test/#part">x</a>',
      '<a href="T(https://x.test/#part)">x</a>',
    ],
    [
      'lines inside the tag',
      '<a\n  title="a > b"\n  href="https://x.test">x</a>',
      '<a\n  title="a > b"\n  href="T(https://x.test)">x</a>',
    ],
    [
      'the first of two',
      '<a href="https://x.test" href="https://y.test">x</a>',
      '<a href="T(https://x.test)" href="https://y.test">x</a>',
    ],
  ])('%s', (_, html, expected) => {
    expect(shown(html)).toBe(expected)
  })

  test.each([
    ['mailto', '<a href="mailto:a@x.test">x</a>'],
    ['tel', '<a href="tel:+1">x</a>'],
    ['an anchor', '<a href="#part">x</a>'],
    ['a relative address', '<a href="/path">x</a>'],
    ['an address that is none', '<a href="https://">x</a>'],
    ['no target', '<a name="part">x</a>'],
    ['an image', '<img src="https://x.test/a.png">'],
    ['an attribute that mentions one', '<a title=" href=https://x.test ">x</a>'],
    ['data that looks like it', '<a data-href="https://x.test">x</a>'],
    ['a comment', '<!--[if mso]><a href="https://x.test">x</a><![endif]-->'],
    ['a style', '<style>a[href="https://x.test"] { color: red } <a href="https://x.test"></style>'],
    ['text', 'see https://x.test or <abbr href="https://x.test">x</abbr>'],
  ])('%s is left as it is', (_, html) => {
    expect(shown(html)).toBe(html)
  })

  test('a null keeps the link', () => {
    const html = '<a href="https://x.test/1">1</a><a href="https://x.test/2">2</a>'
    expect(withLinks(html, (url) => (url.endsWith('1') ? null : 'https://t.test'))).toBe(
      '<a href="https://x.test/1">1</a><a href="https://t.test">2</a>',
    )
  })

  test('whatever the text, nothing else changes when every link is kept', () => {
    const piece = fc.constantFrom(
      '<a ',
      'href=',
      '"',
      "'",
      '>',
      '<',
      '<!--',
      '-->',
      '<style>',
      'https://x.test',
      ' ',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const html = pieces.join('')
        expect(withLinks(html, () => null)).toBe(html)
      }),
    )
  })
})

describe('a mail', () => {
  const unsubscribe = { url: 'https://app.test/unsubscribe/u1.x', token: 'u1.x' }
  const input = {
    action_id: '01890000-0000-7000-8000-0000000000bb',
    rendered: {
      subject: 'Hello',
      text: 'See https://x.test/a',
      html: '<p>See <a href="https://x.test/a">a</a>, <a href="mailto:b@x.test">b</a></p>',
    },
    sender: { address: 'ada@sender.test', name: null, signature: '<a href="https://ada.test">Ada</a>' },
    recipient: { address: 'grace@lead.test' },
    date: new Date('2026-03-02T09:00:00Z'),
    thread: [],
    unsubscribe,
  }
  const tracking = {
    click_url: (url: string, link: number) => `https://go.test/${link}?${url}`,
    pixel_url: 'https://go.test/p.gif',
  }

  test('rewrites its links and its signature’s, in order, and nothing of the text part or the unsubscribe link', () => {
    const plain = buildMailMessage(input)
    const tracked = buildMailMessage({ ...input, tracking })
    expect(tracked.text).toBe(plain.text)
    expect(tracked.headers).toEqual(plain.headers)
    expect([...tracked.html.matchAll(/href="([^"]*)"/g)].map(([, url]) => url)).toEqual([
      'https://go.test/1?https://x.test/a',
      'mailto:b@x.test',
      'https://go.test/2?https://ada.test',
      unsubscribe.url,
    ])
    expect(tracked.html).toMatch(/<img src="https:\/\/go\.test\/p\.gif"[^>]*>\n<\/body>/)
  })

  test('has neither where nothing is asked for', () => {
    expect(buildMailMessage({ ...input, tracking: { click_url: null, pixel_url: null } })).toEqual(
      buildMailMessage(input),
    )
    expect(withPixel('<p>a</p>', 'https://t.test/?a&b')).toContain('src="https://t.test/?a&amp;b"')
  })
})
