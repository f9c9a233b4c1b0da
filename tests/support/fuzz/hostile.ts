import fc from 'fast-check'

/** Placeholders for JSON that no JavaScript value can express: they are replaced in the request body. */
const ON_THE_WIRE: Record<string, string> = {
  '@@infinity@@': '1e999',
  '@@huge@@': `${'9'.repeat(400)}`,
  '@@tiny@@': '1e-999',
  '@@deep-list@@': `${'['.repeat(3_000)}${']'.repeat(3_000)}`,
  '@@deep-object@@': `${'{"a":'.repeat(90)}1${'}'.repeat(90)}`,
  '@@prototype@@': '{"__proto__": {"admin": true}, "constructor": {"prototype": {}}}',
  '@@twice@@': '{"a": 1, "a": 2}',
}

export const writeJson = (value: unknown) =>
  JSON.stringify(value).replace(/"@@[a-z-]+@@"/g, (mark) => ON_THE_WIRE[mark.slice(1, -1)] ?? mark)

export const hostileText = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '\0',
    'a\0b',
    '\ud800',
    'x\udc00y',
    '\r\nX-Injected: 1',
    'a\nb\rc\u2028d\u0085e',
    '\u202e\u2066abc',
    "'; DROP TABLE users; --",
    '$1 %s {0} $`',
    '{{ x | }',
    '{% for i in (1..100000000) %}x{% endfor %}',
    '{a|{b|{c',
    '../../etc/passwd',
    '%00%0d%0a',
    'null',
    'undefined',
    'NaN',
    '-0',
    '0x10',
    '1e3',
    '９',
    'ß'.repeat(300),
    '👩‍👩‍👧‍👦'.repeat(100),
    'x'.repeat(20_000),
    '=cmd|calc!A1',
    '0000-00-00T00:00:00Z',
    '9999-12-31T23:59:59.999Z',
    '+275760-09-13T00:00:00.000Z',
  ),
  fc.string({ unit: 'binary', maxLength: 60 }),
)

export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  hostileText,
  fc.constantFrom(...Object.keys(ON_THE_WIRE)),
  fc.constantFrom(
    null,
    true,
    false,
    0,
    -1,
    -0,
    1.5,
    2 ** 31,
    2 ** 53,
    -(2 ** 63),
    1e308,
    [],
    {},
    [null],
    [[[]]],
  ),
  fc.jsonValue({ maxDepth: 3 }),
)

export const hostileBytes = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  fc
    .constantFrom('', '\0', '{', '[', '"', 'nul', '{"a":}', '\ufeff{}', '{}{}', '--', '[1,]', '1e999', '\r\n')
    .map((text) => new TextEncoder().encode(text)),
  fc.constant(Uint8Array.of(0x50, 0x4b, 3, 4, 0, 0, 0, 0, 255, 255, 255, 255)),
  fc.constant(Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0, 0)),
)
