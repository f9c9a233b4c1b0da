import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseDuration, parseFunctions, parseMoment } from '#lib/engine/config'
import { parseKey, parseMatch, parseText } from '#lib/engine/paths'

const eventWith = (data: unknown) => ({ id: 'e', name: 'a', ts: 0, data })
const event = eventWith({ id: 'x', n: 3, deep: { key: true }, nothing: null })

test.each([
  ['event.name', 'a'],
  ['event.data.id', 'x'],
  ['event.data.deep.key', true],
  ['event.data.nothing', null],
  ['event.data.missing.deeper', null],
  ['event.data.constructor', null],
])('the key %s of an event is %j', (source, value) => {
  expect(parseKey(source)(event)).toEqual(value)
})

test.each([
  '',
  'event',
  'event.',
  '"x"',
  'user.id',
  'event.data["id"]',
  'event.data.id + "-"',
  'event.data.id || event.data.n',
  'size(event.data.list)',
])('a key that is more than a path is refused: %s', (source) => {
  expect(() => parseKey(source)).toThrow(SyntaxError)
})

test('two events match exactly when their values are equal', () => {
  const matches = parseMatch('event.data.a == async.data.a')
  const value = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null))
  fc.assert(
    fc.property(value, value, (a, b) => {
      expect(matches(eventWith({ a }), eventWith({ a: b }))).toBe(a === b)
    }),
  )
  for (const other of ['event.data.a != async.data.a', 'true', 'event.data.a == event.data.b'])
    expect(() => parseMatch(other)).toThrow(SyntaxError)
})

test('a failure is told from others by the name of its function', () => {
  const concerns = parseText("event.data.function_id == 'app-launch'")
  expect(concerns(eventWith({ function_id: 'app-launch' }))).toBe(true)
  expect(concerns(eventWith({ function_id: 'app-land' }))).toBe(false)
  expect(concerns(eventWith({}))).toBe(false)
  for (const other of ['event.data.n > 2', "event.data.n == 'a' || event.data.n == 'b'", "'a' == 'a'"])
    expect(() => parseText(other)).toThrow(SyntaxError)
})

const config = (options: object) => ({
  id: 'app-bad',
  triggers: [{ event: 'bad' }],
  steps: { step: { id: 'step', name: 'step', runtime: { type: 'http', url: 'http://app' } } },
  ...options,
})

test.each([
  ['debounce', { debounce: { period: '1m' } }],
  ['batchEvents', { batchEvents: { maxSize: 3, timeout: '5s' } }],
  ['throttle', { throttle: { limit: 1, period: '1m' } }],
  ['rateLimit', { rateLimit: { limit: 1, period: '1m' } }],
  ['idempotency', { idempotency: 'event.data.id' }],
  ['singleton', { singleton: { mode: 'skip' } }],
  ['priority', { priority: { run: '100' } }],
  ['timeouts', { timeouts: { finish: '1h' } }],
  ['jitter (in triggers.0)', { triggers: [{ cron: '* * * * *', jitter: '30s' }] }],
  ['scope (in concurrency.0)', { concurrency: { limit: 1, scope: 'env', key: 'event.data.id' } }],
  [
    'timeout (in cancel.0)',
    { cancel: [{ event: 'stop', if: 'event.data.a == async.data.a', timeout: '1h' }] },
  ],
])(
  'a function that asks for what the engine does not have is refused by both names: %s',
  (feature, options) => {
    expect(() => parseFunctions([config(options)])).toThrow(`app-bad: the embedded engine has no ${feature}`)
  },
)

test.each([
  ['wildcards', { triggers: [{ event: 'told/*' }] }],
  ['inngest/function.failed alone', { triggers: [{ event: 'inngest/function.finished' }] }],
  ['reads no other expression', { triggers: [{ event: 'bad', expression: 'event.data.n > 2' }] }],
  ['reads no other expression', { concurrency: { limit: 1, key: 'event.data.a + event.data.b' } }],
  ['reads no other expression', { cancel: [{ event: 'stop', if: 'async.data.n > event.data.n' }] }],
])('what the engine reads otherwise is refused as well: %s', (reason, options) => {
  expect(() => parseFunctions([config(options)])).toThrow(reason)
})

test('every refused function and feature is named at once, and one that asks for nothing special is not', () => {
  const given = [
    config({ id: 'app-one', debounce: {}, throttle: {} }),
    config({ id: 'app-good' }),
    config({ id: 'app-two', rateLimit: {} }),
  ]
  expect(() => parseFunctions(given)).toThrow(
    'functions are refused: app-one: the embedded engine has no debounce; ' +
      'app-one: the embedded engine has no throttle; app-two: the embedded engine has no rateLimit',
  )
  expect(parseFunctions([config({})])).toHaveLength(1)
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
