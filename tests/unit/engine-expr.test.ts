import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseDuration, parseMoment } from '#lib/engine/config'
import { compile, evaluate } from '#lib/engine/expr'

const event = {
  name: 'a',
  data: { id: 'x', n: 3, list: [1, 'two'], deep: { key: true }, 'odd key': 1, nothing: null },
}
const async = { data: { id: 'x', n: 4 } }

test.each([
  ['event.data.id == async.data.id', true],
  ['event.data.id != async.data.id', false],
  ['event.data.n < async.data.n && event.data.n >= 3', true],
  ["event.data.id == 'x' || event.data.n == 0", true],
  ['event.data.missing.deeper', null],
  ['event.data.missing == null', true],
  ['"user-" + event.data.n', 'user-3'],
  ['event.data.id + "-" + event.data.missing', 'x-'],
  ['event.data.missing || event.data.id', 'x'],
  ['event.data["odd key"] + 1', 2],
  ['event.data.list[1]', 'two'],
  ['1 in event.data.list', true],
  ['event.data.id in ["y", "x"]', true],
  ['!event.data.deep.key', false],
  ['1 + 2 * 3 - 4 / 2', 5],
  ['(1 + 2) * 3', 9],
  ['-event.data.n', -3],
  ['event.data.n > 2 ? "many" : "few"', 'many'],
  ['event.data.n > "2"', false],
  ['event.data.constructor', null],
  [`'it\\'s'`, "it's"],
])('%s', (source, value) => {
  expect(evaluate(source, { event, async })).toEqual(value)
})

test.each([
  '',
  'event.',
  'event.data.id ==',
  'user.id',
  'size(event.data.list)',
  '(1',
  '1 2',
  'event.data.id = 1',
  '"open',
  '[1',
])('refuses what it does not know: %s', (source) => {
  expect(() => compile(source)).toThrow(SyntaxError)
})

test('two paths are equal exactly when their values are', () => {
  const value = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null))
  fc.assert(
    fc.property(value, value, (a, b) => {
      expect(
        evaluate('event.data.a == async.data.a', { event: { data: { a } }, async: { data: { a: b } } }),
      ).toBe(a === b)
    }),
  )
})

test('a text literal stands for itself, whatever is in it', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const literal = `"${text.replace(/[\\"]/g, '\\$&')}"`
      expect(evaluate(`event.data.text == ${literal}`, { event: { data: { text } } })).toBe(true)
    }),
  )
})

test.each([
  ['1h30m', 5_400_000],
  ['7d', 604_800_000],
  ['1w2d3h4m5s', 788_645_000],
  ['250ms', 250],
])('%s is %i ms', (text, ms) => {
  expect(parseDuration(text)).toBe(ms)
})

test.each(['', 'soon', '5', '1h 30m', '1y', '-1h'])('"%s" is no duration', (text) => {
  expect(() => parseDuration(text)).toThrow(SyntaxError)
})

test('a moment is a duration from now or a date', () => {
  const now = new Date('2030-01-01T00:00:00Z')
  expect(parseMoment('1d', now)).toEqual(new Date('2030-01-02T00:00:00Z'))
  expect(parseMoment('2031-05-06T07:08:09.000Z', now)).toEqual(new Date('2031-05-06T07:08:09Z'))
  expect(parseMoment('', now)).toEqual(now)
  expect(() => parseMoment('2031-99-99', now)).toThrow(SyntaxError)
})
