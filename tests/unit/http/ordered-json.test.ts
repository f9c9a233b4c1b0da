import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseOrdered } from '#lib/domain/text/ordered-json'

test.each([
  ['{"b":1,"2":{"9":1,"1":[{"7":0,"a":"x","3":1}]},"1":"\\":"}'],
  ['{"":0,"1":"","":2}', '{"":2,"1":""}'],
  [
    '{"2" : 1,\n"\\u0031"\t:2,"__proto__":{"0":1,"a":2},"0":3}',
    '{"2":1,"1":2,"__proto__":{"0":1,"a":2},"0":3}',
  ],
  ['"a:b"'],
  ['[1,"1",null]'],
])('%s keeps its order', (given, written = given) => {
  expect(JSON.stringify(parseOrdered(given))).toBe(written)
})

test('what JSON.parse reads, this reads', () => {
  fc.assert(
    fc.property(fc.json({ stringUnit: 'grapheme' }), (json) => {
      expect(parseOrdered(json)).toEqual(JSON.parse(json))
    }),
  )
})

test('keys come in the order of the text', () => {
  const key = fc.oneof(fc.nat(30).map(String), fc.string())
  fc.assert(
    fc.property(fc.uniqueArray(key, { minLength: 1 }), (keys) => {
      const json = `{${keys.map((one) => `${JSON.stringify(one)}:${JSON.stringify(one)}`).join(',')}}`
      expect(Object.keys(Object(parseOrdered(json)))).toEqual(keys)
      expect(JSON.stringify(parseOrdered(json))).toBe(json)
    }),
  )
})

test.each(['{"a"', '{"a":', '"', '{"1":1,}', '\\', '{a:1}', ''])('%j is no JSON', (text) => {
  expect(() => parseOrdered(text)).toThrow(SyntaxError)
})
