import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  finishedMessage,
  followUpSubject,
  type RenderInput,
  renderMessage,
  renderText,
} from '#lib/domain/messages/message'
import { mergeFields, parseTemplate } from '#lib/domain/messages/template'

const render = (body: string, over: Partial<RenderInput> & { subject?: string | null } = {}) => {
  const { subject = 'Hello', ...rest } = over
  return renderMessage({
    template: { subject, body },
    lead: { first_name: 'Grace', company: 'Navy & Sons', role: '  ' },
    sender: { name: 'Ada', address: { city: 'London' } },
    seed: 'campaign:lead:1',
    unsubscribe_url: 'https://app.test/u/abc',
    ...rest,
  })
}

const ok = (result: ReturnType<typeof renderMessage>) => {
  if (!result.ok) throw new Error(JSON.stringify(result.problems))
  return result.message
}

describe('a message', () => {
  test('of plain text becomes text and the same as escaped HTML with links', () => {
    const body =
      'Hi {{ first_name }},\n\nsee https://x.test/a?b=1&c=2. {{ company }} < all\nAda\n\n\n\n{{ sender.address.city }}'
    expect(ok(render(body))).toEqual({
      subject: 'Hello',
      text: 'Hi Grace,\n\nsee https://x.test/a?b=1&c=2. Navy & Sons < all\nAda\n\nLondon',
      html: [
        '<p>Hi Grace,</p>',
        '<p>see <a href="https://x.test/a?b=1&amp;c=2">https://x.test/a?b=1&amp;c=2</a>. Navy &amp; Sons &lt; all<br>',
        'Ada</p>',
        '<p>London</p>',
      ].join('\n'),
    })
  })

  test('of HTML gets a text alternative, and only the data is escaped', () => {
    const body =
      '<style>p { color: red }</style><p>Hi <b>{{ company }}</b>&nbsp;&ndash; <a href="https://x.test/?q={{ company | url_encode }}">look</a></p><ul><li>one</li><li>two</li></ul><img alt="Logo" src="cid:x">'
    expect(ok(render(body))).toMatchObject({
      text: 'Hi Navy & Sons – look (https://x.test/?q=Navy+%26+Sons)\n\n- one\n- two\n\nLogo',
      html: expect.stringContaining(
        '<b>Navy &amp; Sons</b>&nbsp;&ndash; <a href="https://x.test/?q=Navy+%26+Sons">',
      ),
    })
  })

  test('is the same for the same seed and differs over seeds', () => {
    const texts = Array.from(
      { length: 30 },
      (_, i) => ok(render('{Hi|Hello|Dear} you', { seed: `s${i}` })).text,
    )
    expect(new Set(texts)).toEqual(new Set(['Hi you', 'Hello you', 'Dear you']))
    expect(ok(render('{Hi|Hello|Dear} you', { seed: 's7' })).text).toBe(texts[7])
  })

  test('whose field has no value does not go out, and every such field is named once', () => {
    const result = render('{{ first_name }} {{ role }} {{ nope }} {{ nope }} {{ sender.phone }}', {
      subject: 'For {{ role }}',
    })
    expect(result).toEqual({
      ok: false,
      problems: [
        {
          code: 'missing_fields',
          message: 'No value and no fallback for role, nope, sender.phone',
          names: ['role', 'nope', 'sender.phone'],
        },
      ],
    })
  })

  test.each([
    ['Hi {{ role | default: "there" }}', 'Hi there'],
    ['Hi {{ nope | default: first_name }}', 'Hi Grace'],
    ['Hi{% if role %} {{ role }}{% endif %}!', 'Hi!'],
    ['{% unless company %}{{ nope }}{% endunless %}Hi', 'Hi'],
    ['{% assign n = nope | default: "you" %}Hi {{ n }}', 'Hi you'],
    ['{% case company %}{% when "x" %}{{ nope }}{% else %}else{% endcase %}', 'else'],
    ['{% if role != "" %}in {{ role }}{% endif %}x', 'x'],
    ['{% for i in (1..3) %}{{ i }}{% endfor %}', '123'],
    ['{{ "now" | date: "%A %H:%M" }}', 'Tuesday 01:30'],
    ['{{ first_name | escape }} {{ company | escape }}', 'Grace Navy & Sons'],
  ])('%s → %s', (body, text) => {
    const clock = { now: new Date('2026-03-02T12:30:00Z'), timezone: 'Pacific/Auckland' }
    expect(ok(render(body, { clock })).text).toBe(text)
  })

  test('with words of a lead that look like a template shows them as they are', () => {
    const lead = { first_name: '{a|b} {{ company }} {% if %}' }
    expect(ok(render('Hi {{ first_name }}', { lead })).text).toBe('Hi {a|b} {{ company }} {% if %}')
  })

  test.each([
    '{{ first_name | raw }}',
    '{% include "/etc/passwd" %}',
    '{% render "x" %}',
    '{{ first_name',
    '{% if %}',
  ])('cannot be made of %s', (body) =>
    expect(render(body)).toMatchObject({ ok: false, problems: [{ code: 'template_invalid' }] }),
  )

  test.each(['constructor', '__proto__', 'first_name.constructor', 'sender.toString'])(
    'does not reach into the program by {{ %s }}',
    (path) =>
      expect(render(`{{ ${path} }}x`)).toMatchObject({ ok: false, problems: [{ code: 'missing_fields' }] }),
  )

  test('that would run for ever or fill the memory is stopped', () => {
    const loop = '{% for a in (1..100000) %}{% for b in (1..100000) %}{{ a }}{% endfor %}{% endfor %}'
    expect(render(loop)).toMatchObject({ ok: false, problems: [{ code: 'template_invalid' }] })
  })

  test.each([
    { subject: '', body: 'x', code: 'empty_subject' },
    { subject: null, body: 'x', code: 'empty_subject' },
    { subject: 'x', body: ' \n ', code: 'empty_body' },
    { subject: 'x', body: '<p> </p><style>a</style>', code: 'empty_body' },
  ])('without $code does not go out', ({ subject, body, code }) => {
    expect(render(body, { subject })).toMatchObject({ ok: false, problems: [{ code }] })
  })

  test('written elsewhere is not read as a template', () => {
    expect(
      finishedMessage({ subject: null, body: 'Use {{ x }} or {a|b}' }, { thread_subject: 'Hi' }),
    ).toEqual({
      ok: true,
      message: { subject: 'Re: Hi', text: 'Use {{ x }} or {a|b}', html: '<p>Use {{ x }} or {a|b}</p>' },
    })
  })
})

test.each([
  [null, 'Hello', 'Re: Hello'],
  ['', 'Hello', 'Re: Hello'],
  [null, 'RE: Hello', 'RE: Hello'],
  ['Own', 'Hello', 'Own'],
  [null, null, null],
])('a follow-up with subject %o in the thread %o is called %o', (own, thread, expected) => {
  expect(followUpSubject(own, thread)).toBe(expected)
})

describe('whatever a lead’s row says', () => {
  const nasty = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      '<script>alert(1)</script>',
      '"><img src=x onerror=1>',
      "' onclick='x",
      'javascript:alert(1)',
      'a\r\nBcc: x@y.z',
    ),
    fc.string({ unit: fc.constantFrom('<', '>', '"', "'", '&', '{', '}', '|', '%', 'a', '\r', '\n', ' ') }),
  )

  test('it adds no tag and no attribute to the HTML', () => {
    const bodies = [
      'Hi {{ v | default: "x" }}',
      '<p title="{{ v | default: 1 }}">{{ v | default: 1 }}</p><a href="{{ v | default: 1 }}">l</a>',
    ]
    fc.assert(
      fc.property(nasty, fc.constantFrom(...bodies), (v, body) => {
        const { html } = ok(render(body, { lead: { v } }))
        const skeleton = html
          .replace(/<a href="https?:[^"]*">|<br>/gi, '')
          .match(/<[^>]*>/g)
          ?.map((tag) => tag.replace(/="[^"]*"/g, '=""'))
        const plain = skeleton?.every((tag) =>
          ['<p>', '</p>', '<p title="">', '<a href="">', '</a>'].includes(tag),
        )
        expect(plain).toBe(true)
        expect(html).not.toMatch(/href="\s*javascript/i)
      }),
    )
  })

  test.each([
    'javascript:alert(1)',
    ' JavaScript:alert(1)',
    'java\tscript:x',
    'data:text/html,x',
    'vbscript:x',
  ])('a link made of %s leads nowhere', (v) => {
    expect(ok(render('<a href="{{ v }}">x</a>', { lead: { v } })).html).toBe('<a href="#">x</a>')
  })

  test('the subject stays one line', () => {
    fc.assert(
      fc.property(nasty, (v) => {
        const { subject } = ok(render('x', { subject: 'For {{ v | default: "you" }}', lead: { v } }))
        expect(subject).not.toMatch(/\p{Cc}/u)
        expect(subject.isWellFormed()).toBe(true)
      }),
    )
  })

  test('plain text reaches a channel without HTML unescaped', () => {
    const result = renderText({ template: '{Hi|Hi} {{ v }}', lead: { v: 'A & B <c>' }, sender: {}, seed: '' })
    expect(result).toEqual({ ok: true, text: 'Hi A & B <c>' })
  })
})

describe('a template at save', () => {
  test.each([
    { body: 'Hi {{ first_name | default: "you" }} {a|b}', problems: [] },
    { body: 'one\n  {{ first_name', problems: [{ field: 'body', line: 2, column: 3 }] },
    { body: '{% if a %}x', problems: [{ field: 'body', line: 1, column: 1 }] },
    {
      body: 'ok {{ a | nofilter }}',
      problems: [{ field: 'body', line: 1, message: expect.stringContaining('nofilter') }],
    },
    { body: 'Dear\n{Sir|Madam', problems: [{ field: 'body', line: 2, column: 1 }] },
    {
      body: '{ {% if a %}x|y{% endif %} }',
      problems: [
        { line: 1, column: 2 },
        { line: 1, column: 15 },
      ],
    },
    { body: '<p><script>x</script></p>', problems: [{ line: 1, column: 4 }] },
    {
      body: '<a href={{ website }}>x</a>',
      problems: [{ line: 1, column: 9, message: expect.stringContaining('quotes') }],
    },
    { body: '<style>p { color: {{ c }} }</style><p>x</p>', problems: [{ line: 1, column: 19 }] },
    { body: '<a href="{{ website }}" title=\'{{ x }}\'>{{ y }}</a>', problems: [] },
    { body: '<style>p { color: red }</style><p>{{ x }}</p>', problems: [] },
    { body: 'a < b {{ x }} <ada@x.test>', problems: [] },
  ])('$body', ({ body, problems }) => {
    const parsed = parseTemplate({ subject: 'Hello', body })
    expect(parsed).toMatchObject(problems.length === 0 ? { ok: true } : { ok: false, problems })
  })

  test('says which of subject and body is wrong', () => {
    expect(parseTemplate({ subject: 'Hi {{ x', body: 'y' })).toMatchObject({
      problems: [{ field: 'subject' }],
    })
    expect(parseTemplate({ subject: null, body: 'y' })).toEqual({ ok: true })
  })

  test('names the first twenty of many faults, and refuses what is too long to look through', () => {
    const unclosed = parseTemplate({ subject: null, body: '{a|'.repeat(5_000) })
    expect(unclosed.ok ? 0 : unclosed.problems.length).toBe(20)
    expect(parseTemplate({ subject: null, body: 'a'.repeat(100_001) })).toMatchObject({
      problems: [{ field: 'body', line: 1, message: 'The text is longer than 100000 characters' }],
    })
  })

  test('names the fields of nested paths, and none that a loop or an assignment made', () => {
    const body = '{% for t in tags %}{{ t.a }}{{ u[k.m].b }}{% endfor %}{% assign x = 1 %}{{ x }}'
    expect(mergeFields({ subject: null, body }).map(({ name }) => name)).toEqual(['tags', 'u[k.m].b', 'k.m'])
  })

  test('names its fields in every choice, with or without fallback', () => {
    const template = {
      subject: 'For {{ company }}',
      body: `{Hi {{ first_name | default: "there" }}|Dear {{ last_name }}} {{ sender.title }} {{ unsubscribe_url }}
        {% if city %}in {{ city }}{% endif %} {% assign x = job %}{{ x }} {% for t in tags %}{{ t }}{% endfor %}
        {{ first_name | upcase }}`,
    }
    expect(mergeFields(template)).toEqual([
      { name: 'company', has_fallback: false },
      { name: 'first_name', has_fallback: false },
      { name: 'last_name', has_fallback: false },
      { name: 'sender.title', has_fallback: false },
      { name: 'city', has_fallback: true },
      { name: 'job', has_fallback: false },
      { name: 'tags', has_fallback: true },
    ])
    expect(mergeFields({ subject: null, body: '{{ a | default: b }}' })).toEqual([
      { name: 'a', has_fallback: true },
      { name: 'b', has_fallback: true },
    ])
  })
})
