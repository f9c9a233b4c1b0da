import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { displayDocument, sanitizeHtml } from '#lib/domain/inbox/display-html'
import { readMail } from '#lib/domain/inbox/read-mail'
import { htmlToText } from '#lib/domain/messages/html-to-text'

const bytes = (text: string) => new TextEncoder().encode(text.replace(/\r?\n/g, '\r\n'))

describe('a mail as its reader sees it', () => {
  test('with both parts, coded words and an attachment', async () => {
    const mail = await readMail(
      bytes(`From: =?utf-8?q?J=C3=BCrgen?= <j@x.test>
To: Grace <grace@lead.test>, "B, C" <b@lead.test>
Subject: =?utf-8?b?5L2g5aW9?=
Date: Mon, 02 Mar 2026 10:00:00 +0100
Message-ID: <1@x>
In-Reply-To: <0@x>
References: <a@x>
 <0@x>
Content-Type: multipart/mixed; boundary=m

--m
Content-Type: multipart/alternative; boundary=a

--a
Content-Type: text/plain; charset=utf-8

Hallo
--a
Content-Type: text/html; charset=utf-8

<p onclick="x()">Hallo <img src="https://track.test/o.gif"></p><script>alert(1)</script>
--a--
--m
Content-Type: application/pdf; name=a.pdf
Content-Disposition: attachment; filename=a.pdf
Content-Transfer-Encoding: base64

aGVsbG8=
--m--
`),
    )
    expect(mail).toMatchObject({
      from: { name: 'Jürgen', address: 'j@x.test' },
      to: [
        { name: 'Grace', address: 'grace@lead.test' },
        { name: 'B, C', address: 'b@lead.test' },
      ],
      subject: '你好',
      date: '2026-03-02T09:00:00.000Z',
      message_id: '<1@x>',
      in_reply_to: '<0@x>',
      references: ['<a@x>', '<0@x>'],
      attachments: [{ filename: 'a.pdf', content_type: 'application/pdf', size_bytes: 5 }],
    })
    expect(mail.text.trim()).toBe('Hallo')
    expect(mail.display_html).toContain(
      '<p>Hallo <img src="https://track.test/o.gif" style="max-width:100%"></p>',
    )
    expect(mail.display_html).not.toMatch(/script|onclick/)
  })

  test('of text alone is shown as text with links', async () => {
    const mail = await readMail(bytes('Subject: x\n\nA < b\nhttps://x.test/u'))
    expect(mail.display_html).toContain('A &lt; b<br>\n<a href="https://x.test/u">')
  })

  test('made of any bytes is answered, and its document never scripts', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), fc.boolean(), async (junk, asHtml) => {
        const head = asHtml ? bytes('Content-Type: text/html\n\n') : new Uint8Array()
        const mail = await readMail(new Uint8Array([...head, ...junk]))
        expect(mail.text).not.toContain('\0')
        expect(mail.display_html).not.toMatch(/<script|\son\w+=/i)
      }),
    )
  })
})

describe('HTML of a stranger', () => {
  test.each([
    ['<b>x</b><script>alert(1)</script>y', '<b>x</b>y'],
    ['<script>alert(1)', ''],
    ['<img src=x onerror=alert(1)>', '<img src="x" style="max-width:100%">'],
    ['<img style="width:9in" src=x>', '<img src="x" style="width:9in;max-width:100%">'],
    ['<img style="background:url(//x)">', '<img style="max-width:100%">'],
    ['<a href="javascript:alert(1)">x</a>', '<a href="#">x</a>'],
    ['<a href=" java\tscript:alert(1)">x</a>', '<a href="#">x</a>'],
    ['<a href="jav&#x61;script:alert(1)">x</a>', '<a href="#">x</a>'],
    ['<a href="data:text/html,x">x</a>', '<a href="#">x</a>'],
    ['<a href="https://x.test/?a=1&amp;b=2">x</a>', '<a href="https://x.test/?a=1&amp;b=2">x</a>'],
    ['<svg onload=alert(1)><a>y</a></svg>z', 'z'],
    ['<iframe src="https://x.test"></iframe>z', 'z'],
    ['<form action="https://x.test"><input name=q>z</form>', 'z'],
    ['<p style="background:url(https://x.test)">z</p>', '<p>z</p>'],
    ['<p style="color:red">z</p>', '<p style="color:red">z</p>'],
    ['<p title="a>b">z</p>', '<p title="a&gt;b">z</p>'],
    ['<!-- <b> --><!doctype html>z', 'z'],
    ['a < b > c', 'a &lt; b &gt; c'],
    ['<scr<script>x</script>ipt>alert(1)</script>', expect.not.stringContaining('<script')],
    ['<meta http-equiv=refresh content="0;url=https://x.test"><base href="//x">z', 'z'],
    ["<img src='x' alt='\"'>", '<img src="x" alt="&quot;" style="max-width:100%">'],
  ])('%s', (html, clean) => expect(sanitizeHtml(html)).toEqual(clean))

  test('keeps to known tags whatever it is made of', () => {
    const soup = fc.array(
      fc.constantFrom(
        '<',
        '>',
        '"',
        "'",
        '/',
        '=',
        ' ',
        'a',
        'script',
        'img',
        'onerror',
        'href',
        'javascript:',
        '<!--',
        '-->',
        '&',
        'style',
        '\n',
      ),
      { maxLength: 40 },
    )
    fc.assert(
      fc.property(soup, (parts) => {
        for (const tag of sanitizeHtml(parts.join('')).match(/<[^>]*>/g) ?? [])
          expect(tag).toMatch(/^<\/?(a|img)( (href|style|src|alt)="[^"<>]*")*>$/)
      }),
      { numRuns: 2000 },
    )
  })

  test('is allowed to fetch nothing', () => {
    expect(displayDocument('<p>x</p>')).toContain("default-src 'none'; img-src data:")
  })

  test.each([
    ['<a '.repeat(100_000)],
    ['<a href="x">'.repeat(50_000)],
    ['<!'.repeat(150_000)],
    ['<script>'.repeat(50_000)],
    [`${' '.repeat(300_000)}x`],
    ['<p title="'.repeat(40_000)],
  ])('of 300 KB is dealt with at once (%#)', (html) => {
    expect(sanitizeHtml(html)).toBeTypeOf('string')
    expect(htmlToText(html)).toBeTypeOf('string')
  })
})
