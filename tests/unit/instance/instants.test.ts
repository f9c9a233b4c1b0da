import fc from 'fast-check'
import pg from 'pg'
import { expect, test } from 'vitest'
import { INSTANTS_AS_TEXT, isoInstant } from '#lib/db/instants'

test.each([
  ['2026-11-21 14:56:25.123+00', '2026-11-21T14:56:25.123Z'],
  ['2026-11-21 14:56:25+00', '2026-11-21T14:56:25.000Z'],
  ['2026-11-21 14:56:25.1+00', '2026-11-21T14:56:25.100Z'],
  ['2026-11-21 23:56:25.12-05:30', '2026-11-22T05:26:25.120Z'],
  ['2026-11-21 14:56:25.123456+00', '2026-11-21T14:56:25.123Z'],
])('%s is %s', (said, instant) => {
  expect(isoInstant(said)).toBe(instant)
})

test('an instant of any zone is the one that a Date of it says', () => {
  const toDate = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ)
  const date = fc.date({ min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  fc.assert(
    fc.property(date, fc.constantFrom('+00', '+02', '-11', '+05:45'), (at, zone) => {
      const said = at
        .toISOString()
        .replace('T', ' ')
        .replace(/\.?0*Z$/, zone)
      expect(isoInstant(said)).toBe(toDate(said).toISOString())
    }),
  )
})

test('every other type is parsed as ever', () => {
  const { INT4, DATE, JSONB } = pg.types.builtins
  for (const oid of [INT4, DATE, JSONB])
    expect(INSTANTS_AS_TEXT.getTypeParser(oid, 'text')).toBe(pg.types.getTypeParser(oid, 'text'))
})
