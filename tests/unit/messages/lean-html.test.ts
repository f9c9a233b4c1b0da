import fc from 'fast-check'
import { parseFragment } from 'parse5'
import { describe, expect, test } from 'vitest'
import { leanBody, leanHtml, leanTemplate } from '#lib/domain/messages/lean-html'
import { finishedMessage } from '#lib/domain/messages/message'
import { parseTemplate } from '#lib/domain/messages/template'
import { elementsOf } from '#tests/support/fuzz/targets/html'

describe('what a mail may carry stays as it is, byte for byte', () => {
  test.each([
    '<p>Hi <strong>Ann</strong>,<br/>see <a href="https://a.test/?x=1&y=2#z">ü 👍</a></p>',
    "<a href=mailto:a@b.test>x</a><a href=tel:1>y</a><a\r\n\thref='/path'\r\n>z</a>",
    '<ul><li>one<li>two</ul><img alt="Logo" src="cid:x" width="40"> &nbsp;&ndash; a & b > c',
    '<!doctype html>\n<html><head><meta name="color-scheme" content="light dark"><style>p > b { color: red }</style></head><body bgcolor="#fff"><table><tr><td style="padding:4px">x</td></tr></table></body></html>',
    '<p style="background:url(https://a.test/x.png)">x</p>',
  ])('%j', (html) => {
    expect(leanHtml(html)).toBe(html)
  })
})

describe('what it may not is taken away', () => {
  test.each([
    ['NUL in what is no tag', '<g\u0000>', '&lt;g>'],
    ['a target that runs', '<a href="javascript:x">y</a>', '<a href="#">y</a>'],
    ['without quotes', '<a href=javascript:x>y</a>', '<a href="#">y</a>'],
    ['of many letters', "<a title=a href = 'vbscript:x' class=b>", '<a title="a" href="#" class="b">'],
    ['in entities', '<a href="java&Tab;script&colon;x">', '<a href="#">'],
    ['in numbers', '<a href="&#106;avascript:x">', '<a href="#">'],
    ['over lines', '<a\r\n\thref="java\nscript:x"\r\n>', '<a href="#">'],
    ['named twice', '<a href="/a" href="javascript:x">y</a>', '<a href="/a">y</a>'],
    ['an event', '<img src="/a.png" onerror=alert(1) alt=x>', '<img src="/a.png" alt="x">'],
    ['a script', 'a<script>alert("</b>")</script>b', 'ab'],
    ['a form', '<form action="/x"><p>a</p><input name=x></form>', '<p>a</p>'],
    ['a frame, and what is in it', 'a<iframe src=/x><b>c</b></iframe>b', 'ab'],
    ['a picture that runs', 'a<svg><script>1</script></svg>b', 'ab'],
    ['a comment', 'a<!-- <b> -->b<!--[if mso]><i>c</i><![endif]-->', 'ab'],
    ['a style that loads', '<p style="behavior: url(x)" align="left">x</p>', '<p align="left">x</p>'],
    ['elements nobody knows', '<o:p>x</o:p><custom-a>y</custom-a>', 'xy'],
    ['a tag without an end', '<p>a</p><b onclick=', '<p>a</p>'],
    ['a bracket in a value', '<a x="<a" title="<b>" href=/y>z</a>', '<a title="&lt;b>" href="/y">z</a>'],
    ['a style without an end', '<style>p {', '<style>p {</style>'],
  ])('%s', (_, html, lean) => {
    expect(leanHtml(html)).toBe(lean)
  })

  test.each([
    ['<<script></script>script>alert(1)', '&lt;script>alert(1)'],
    ['<<!-- -->img src=x onerror=y>', '&lt;img src=x onerror=y>'],
    ['I <3 <ada@b.test> & a < b', 'I &lt;3 &lt;ada@b.test> & a &lt; b'],
  ])('and nothing new comes of what is left: %s', (html, lean) => {
    expect(leanHtml(html)).toBe(lean)
  })
})

describe('of a template', () => {
  test.each([
    '<p>Hi {{ first_name | default: "you & me" }}, {% if a < 3 and b > "<b>" %}{x|<b>y</b>}{% endif %}</p>',
    '<a href="{{ url | default: \'https://a.test\' }}" {% if t %}title="x"{% endif %}>{{ a }}</a>',
    '<p>{% raw %}<{% endraw %}</p>',
  ])('the Liquid stays as it is: %s', (source) => {
    expect(leanTemplate(source)).toBe(source)
  })

  test('what surrounds it is lean', () => {
    const source = '<div onclick="{{ x }}">{{ a | default: "<" }}<script>{{ b }}</script> < {{ c }}</div>'
    expect(leanTemplate(source)).toBe('<div>{{ a | default: "<" }} &lt; {{ c }}</div>')
  })

  test('a plain text stays as it is', () => {
    const text = 'Hi {{ a }}, 1 < 2 & <ada@b.test>\r\n'
    expect(leanBody(text)).toBe(text)
  })
})

const pieces = fc.constantFrom(
  ...'< > </ <p> </p> <b <a|href= " \' javascript: https://a.test <style> </style> <script> </script> <!-- --> <svg> = / on x &lt; {{|a|}} {%|if|a|%} {%|endif|%} { | }'
    .split(' ')
    .map((piece) => piece.replaceAll('|', ' ')),
)
const html = fc
  .array(fc.oneof(pieces, fc.string({ maxLength: 3 })), { maxLength: 25 })
  .map((all) => all.join(''))

test('whatever comes in, what comes out is lean already, and holds nothing that runs', () => {
  fc.assert(
    fc.property(html, (given) => {
      for (const lean of [leanHtml, leanTemplate]) expect(lean(lean(given))).toBe(lean(given))
      for (const { tagName, attrs } of elementsOf(parseFragment(leanHtml(given)))) {
        expect(tagName).not.toMatch(/^(script|iframe|svg|math|form|input|object)$/)
        for (const { name, value } of attrs) {
          expect(name).not.toMatch(/^on/)
          expect(value.replace(/\s/g, '')).not.toMatch(/^javascript:/i)
        }
      }
    }),
    { numRuns: 500 },
  )
})

test('a template that parses still does when it is lean, unless its Liquid stood in what is taken away', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('<p>', '</p>', '{{ a }}', '{% if a %}x{% endif %}', '<u ', 'b="c">', '&'), {
        maxLength: 12,
      }),
      (parts) => {
        const body = parts.join('')
        if (parseTemplate({ subject: 'x', body }).ok)
          expect(parseTemplate({ subject: 'x', body: leanTemplate(body) })).toEqual({ ok: true })
      },
    ),
  )
})

test('what was written for one lead is sent lean', () => {
  const made = finishedMessage({
    subject: 'x',
    body: '<p onclick=x>Hi <a href=javascript:alert(1)>you</a></p>',
  })
  expect(made.ok && made.message.html).toBe('<p>Hi <a href="#">you</a></p>')
})

describe('the plain part', () => {
  test.each([
    ['paragraphs and breaks', '<p>Hi,</p><p>a<br>b</p>', 'Hi,\n\na\nb'],
    ['a list', '<p>We:</p><ul><li><p>one</p></li><li>two</li></ul><p>x</p>', 'We:\n\n- one\n- two\n\nx'],
    [
      'a numbered list',
      '<ol><li>one</li><li>two<ul><li>in</li></ul></li><li>three</li></ol>',
      '1. one\n2. two\n  - in\n3. three',
    ],
    [
      'links and what they lead to',
      '<a href="https://a.test">see</a>, <a href="https://a.test">https://a.test</a>',
      'see (https://a.test), https://a.test',
    ],
    [
      'an image by what it shows',
      '<p><img src="https://a.test/x.png" alt="A chart"> &amp; more</p>',
      'A chart & more',
    ],
  ])('has %s', (_, body, text) => {
    const made = finishedMessage({ subject: 'x', body })
    expect(made.ok && made.message.text).toBe(text)
  })
})
