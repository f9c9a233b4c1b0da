import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chipLabel, markLiquid, splitLiquid, unmarkLiquid } from '#components/messages/rich/liquid-marks'
import { plainToSource, type RichNode, toPlain, toSource } from '#components/messages/rich/rich-source'
import { leanBody } from '#lib/domain/messages/lean-html'
import { renderMessage } from '#lib/domain/messages/message'

const text = (words: string, ...marks: NonNullable<RichNode['marks']>): RichNode => ({
  type: 'text',
  text: words,
  ...(marks.length > 0 ? { marks } : {}),
})
const paragraph = (...content: RichNode[]): RichNode => ({ type: 'paragraph', content })
const doc = (...content: RichNode[]): RichNode => ({ type: 'doc', content })
const item = (...content: RichNode[]): RichNode => ({ type: 'listItem', content })
const chip = (source: string): RichNode => ({ type: 'liquid', attrs: { source } })
const bold = { type: 'bold' }
const link = { type: 'link', attrs: { href: 'https://a.test/?a=1&b="{{ x | default: "y" }}"' } }

describe('what the editor holds is written as', () => {
  test.each<[string, RichNode, string, string]>([
    ['escaped text', doc(paragraph(text('a < b & c'))), '<p>a &lt; b &amp; c</p>', 'a < b & c'],
    [
      'one link around several looks, with Liquid that does not end it',
      doc(paragraph(text('see ', link), text('this', link, bold), text('.'))),
      '<p><a href="https://a.test/?a=1&amp;b=&quot;{{ x | default: \'y\' }}&quot;">see <strong>this</strong></a>.</p>',
      'see this (https://a.test/?a=1&b="{{ x | default: "y" }}").',
    ],
    [
      'fields as they were',
      doc(paragraph(text('Hi '), chip('{{ a | default: "<b>" }}'), { type: 'hardBreak' }, text('{x|y}'))),
      '<p>Hi {{ a | default: "<b>" }}<br>\n{x|y}</p>',
      'Hi {{ a | default: "<b>" }}\n{x|y}',
    ],
    [
      'lists, and lists in lists',
      doc({
        type: 'orderedList',
        attrs: { start: 3 },
        content: [
          item(paragraph(text('one')), { type: 'bulletList', content: [item(paragraph(text('in')))] }),
          item(paragraph(text('two'))),
        ],
      }),
      '<ol start="3">\n<li>one<ul>\n<li>in</li>\n</ul></li>\n<li>two</li>\n</ol>',
      '3. one\n  - in\n4. two',
    ],
    [
      'an image no wider than the mail',
      doc(paragraph({ type: 'image', attrs: { src: 'https://a.test/x.png', alt: 'A "chart"' } })),
      '<p><img src="https://a.test/x.png" alt="A &quot;chart&quot;" style="max-width:100%;height:auto"></p>',
      'A "chart"',
    ],
    [
      'an empty line',
      doc(paragraph(text('a')), paragraph(), paragraph(text('b'))),
      '<p>a</p>\n<p><br></p>\n<p>b</p>',
      'a\n\n\n\nb',
    ],
  ])('%s', (_, made, source, plain) => {
    expect(toSource(made)).toBe(source)
    expect(leanBody(source)).toBe(source)
    expect(toPlain(made)).toBe(plain)
  })
})

const words = fc.array(
  fc.oneof(
    fc.constantFrom(
      'a',
      ' ',
      '\n',
      '\n\n',
      '<',
      '&',
      '{',
      '|',
      '}',
      '"',
      '{{ x }}',
      "{{ y | default: 'z' }}",
      '{% if x %}b{% endif %}',
      'https://a.test/?b&c',
    ),
    fc.string({ maxLength: 2 }),
  ),
  { maxLength: 15 },
)

test('a source is its pieces, and comes back from its marks', () => {
  fc.assert(
    fc.property(words, (parts) => {
      const source = parts.join('').replace(/[\uE000\uE001]/g, '')
      expect(
        splitLiquid(source)
          .map((span) => span.text)
          .join(''),
      ).toBe(source)
      const { marked, liquid } = markLiquid(source)
      expect(unmarkLiquid(marked, liquid)).toBe(source)
    }),
  )
})

test('a plain text that becomes rich says the same to every lead', () => {
  const said = (body: string) =>
    renderMessage({
      template: { subject: 'x', body },
      lead: { x: 'A & <b>', first_name: '' },
      sender: {},
      seed: 'a',
    })
  const body =
    'Hi {{ first_name | default: "you & me" }},\n\nsee https://a.test/?b=1&c={{ x }} <3\n{one|one} {{ x }}.'
  const [plain, rich] = [said(body), said(plainToSource(body))]
  expect(rich.ok && rich.message.text).toBe(plain.ok && plain.message.text)
})

test.each([
  ['{{ first_name }}', 'first_name'],
  ['{{ first_name | default: "there" }}', 'first_name or “there”'],
  ['{{ a | upcase }}', 'a | upcase'],
  ['{% if a %}', 'if a'],
])('a chip of %s says %s', (source, label) => {
  expect(chipLabel(source)).toBe(label)
})
