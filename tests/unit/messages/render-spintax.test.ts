import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { seededNumbers } from '#lib/domain/messages/seed'
import { allOptions, parseSpintax, spin, withoutMarks } from '#lib/domain/messages/spintax'

const all = (source: string, seeds = 60) => {
  const { nodes } = parseSpintax(source)
  return [...new Set(Array.from({ length: seeds }, (_, i) => spin(nodes, seededNumbers(`seed ${i}`))))].sort()
}

describe('spintax', () => {
  test.each([
    ['plain text', ['plain text']],
    ['{Hi|Hello} there', ['Hello there', 'Hi there']],
    ['{a|b|{c|d}}', ['a', 'b', 'c', 'd']],
    ['{|really }good', ['good', 'really good']],
    ['{{{ first_name }}|friend}', ['friend', '{{ first_name }}']],
    ['{friend|{{ first_name }}}', ['friend', '{{ first_name }}']],
    ['{{ first_name | default: "you" }}', ['{{ first_name | default: "you" }}']],
    [`{a|{{ x | default: '}}|{b|c}' }}}`, [`a`, `{{ x | default: '}}|{b|c}' }}`]],
    ['{{ x | append: "it\'s|so" }}', ['{{ x | append: "it\'s|so" }}']],
    ['{% if a %}x|y{% endif %}', ['{% if a %}x|y{% endif %}']],
    ['{% raw %}{a|b}{% endraw %}', ['{% raw %}{a|b}{% endraw %}']],
    ['p { color: red } :{', ['p { color: red } :{']],
    ['a | b } c', ['a | b } c']],
    ['{one}', ['{one}']],
  ])('%s', (source, expected) => expect(all(source)).toEqual(expected))

  test('an option list that never closes is reported where it opens and left as it is', () => {
    expect(parseSpintax('Dear {Sir|Madam').unclosed).toEqual([5])
    expect(all('Dear {Sir|Madam')).toEqual(['Dear {Sir|Madam'])
  })

  test('the same seed takes the same choices, and each option gets its share of seeds', () => {
    const { nodes } = parseSpintax('{a|b|c|d}')
    const count: Record<string, number> = {}
    for (let i = 0; i < 4000; i++) {
      const chosen = spin(nodes, seededNumbers(`campaign:lead ${i}:1`))
      expect(spin(nodes, seededNumbers(`campaign:lead ${i}:1`))).toBe(chosen)
      count[chosen] = (count[chosen] ?? 0) + 1
    }
    for (const option of ['a', 'b', 'c', 'd']) expect(count[option]).toBeGreaterThan(800)
  })

  test('any text parses, keeps every character in its place, and spins to some text', () => {
    const soup = fc.string({
      unit: fc.constantFrom('{', '}', '|', '%', '"', "'", 'a', ' ', '{{ x }}', '\n'),
      maxLength: 60,
    })
    fc.assert(
      fc.property(soup, (source) => {
        const { nodes } = parseSpintax(source)
        expect(withoutMarks(nodes)).toHaveLength(source.length)
        for (const option of allOptions(nodes)) expect(option.at).toBeLessThanOrEqual(source.length)
        expect(spin(nodes, () => 0).length).toBeLessThanOrEqual(source.length)
      }),
    )
  })

  test('a thousand nested braces are no deep recursion', () => {
    expect(all('{ '.repeat(5000), 1)).toEqual(['{ '.repeat(5000)])
  })
})
