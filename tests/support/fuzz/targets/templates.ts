import { parseFragment } from 'parse5'
import { liquidFields, renderLiquid } from '#lib/domain/messages/liquid'
import { renderMessage, renderText } from '#lib/domain/messages/message'
import { allOptions, parseSpintax, spin } from '#lib/domain/messages/spintax'
import { mergeFields, parseTemplate } from '#lib/domain/messages/template'
import {
  joined,
  promise,
  promiseCleanPrototypes,
  promiseStorable,
  type Target,
  textOf,
  textsOf,
} from '#tests/support/fuzz/target'
import { elementsOf, promiseHarmless } from '#tests/support/fuzz/targets/html'

const CLOCK = { now: new Date('2026-03-02T10:00:00Z'), timezone: 'Europe/Berlin' }
const LIQUID = [
  '{{',
  '}}',
  '{{-',
  '-}}',
  '{%',
  '%}',
  '{% if a %}',
  '{% endif %}',
  '{% else %}',
  '{% for i in (1..9) %}',
  '{% endfor %}',
  '{% assign x = a %}',
  '{% case a %}',
  '{% when 1 %}',
  '{% raw %}',
  '{% endraw %}',
  '{% comment %}',
  '{% unless a %}',
  '{% break %}',
  '{% # x %}',
  '{% include "x" %}',
  '{% render "x" %}',
  '{% capture x %}',
  ' | ',
  'default: "x"',
  'date: "%Y"',
  'append: a',
  'replace: "a", "b"',
  'split: ""',
  'join',
  'slice: 0, 9',
  'times: 9e9',
  'repeat',
  'strip_html',
  'json',
  'map: "constructor"',
  'sort',
  'where: "a"',
  'size',
  'first_name',
  'a',
  'a.b',
  'a["b"]',
  '.constructor',
  '.__proto__',
  '[0]',
  '(1..100000000)',
  '"',
  "'",
  '\\',
  ' == ',
  ' contains ',
  ' and ',
  'nil',
  'now',
  '%s',
  '\0',
]
/** Limit for the rendered body: more than a hundred times its source and the memory that a render may take. */
const MOST_PRINTED = 2_000_000

/** A template by a colleague that contains a cell by a stranger. */
export const liquid: Target = {
  name: 'liquid',
  max: 12 * 1024,
  slow_ms: 4_000,
  seeds: () => [
    joined('Hi {{ a }}', '<p>{{ a | default: "there" }}</p>{% if a %}{{ a | upcase }}{% endif %}', 'Ann'),
    joined(
      '{Hi|Hello} {{ a | slice: 0, 3 }}',
      '{% for i in (1..3) %}{{ i }}{% endfor %}{% assign x = a | split: "" %}{{ x | join: "-" }}',
      '<b>x</b>',
    ),
    joined(
      '{{ "now" | date: "%Y" }}',
      '{% case a %}{% when "x" %}1{% else %}2{% endcase %} {{ sender.name }} {{ unsubscribe_url }}',
      '{{ a }}',
    ),
    joined('x', '<a href="{{ a }}">{{ a }}</a>{% raw %}{{ b }}{% endraw %}', 'javascript:alert(1)'),
  ],
  words: [
    ...LIQUID,
    '\x1e',
    '<p>',
    '<a href="',
    '</a>',
    '{a|b}',
    '|',
    '{',
    '}',
    '<script>',
    '&lt;',
    '" onload="',
    'javascript:',
  ],
  run(input) {
    const [subject = '', body = '', cell = ''] = textsOf(input, 3)
    const template = { subject, body }
    const parsed = parseTemplate(template)
    mergeFields(template)
    liquidFields([subject, body])
    const filled = {
      lead: { a: cell, b: '', first_name: cell },
      sender: { name: cell },
      seed: 'a',
      unsubscribe_url: 'https://o.test/u',
      clock: CLOCK,
    }
    const made = renderMessage({ template, ...filled })
    renderText({ template: body, ...filled })
    if (made.ok) {
      promise(
        Object.values(made.message).every((text) => text.length <= MOST_PRINTED),
        'what is printed is bounded',
      )
      promise(!/[\p{Cc}\u2028\u2029]/u.test(made.message.subject), 'a subject is one line')
      promiseStorable(made.message)
    } else if (parsed.ok)
      for (const { code, message } of made.problems)
        promise(
          code !== 'template_invalid' || /limit|too long/i.test(message),
          `a template that was accepted renders: ${message}`,
        )
    promiseCleanPrototypes()
    promiseEscaped(cell)
  },
}

/** In element text and in a quoted attribute, a cell stays text. */
function promiseEscaped(cell: string): void {
  const made = renderLiquid('<p title="{{ a }}">{{ a }}</p>', 'html', { a: cell })
  if (!made.ok) return
  const elements = elementsOf(parseFragment(made.text))
  promise(
    elements.length === 1 && elements[0]?.attrs.length === 1,
    'a cell makes no element and no attribute',
  )
  promiseHarmless(elements, 'a cell')
}

/** Choices are resolved, and nothing else is changed. */
export const spintax: Target = {
  name: 'spintax',
  max: 16 * 1024,
  seeds: () => [
    '{Hi|Hello|{Good day|Welcome}} Ann',
    'a {b {c|d} e',
    '{{ a | default: "x|y" }} {x|{{ b }}}',
    'p { color: red } :-} {|}',
    '{a|b',
  ],
  words: [
    '{',
    '}',
    '|',
    '{{',
    '}}',
    '{%',
    '%}',
    '{a|b}',
    '{|}',
    '{a',
    '{% raw %}',
    '{% endraw %}',
    '\\{',
    '"',
    '\0',
  ],
  run(input) {
    const source = textOf(input)
    const { nodes, unclosed } = parseSpintax(source)
    promise(
      unclosed.every((at) => source[at] === '{'),
      'what is not closed is an opening brace',
    )
    promise(source.includes('|') || spin(nodes, () => 0) === source, 'without a choice nothing changes')
    for (const lot of [0, 0.5, 0.999])
      promise(spin(nodes, () => lot).length <= source.length, 'a choice is no longer than all choices')
    for (const { at } of allOptions(nodes))
      promise(at >= 0 && at <= source.length, 'an option stands in the source')
  },
}
