import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BUILTIN_FORMATS, generalText, numberText } from '#lib/providers/spreadsheet/cell-text'

test.each<[string, number, string]>([
  ['General', 12, '12'],
  ['General', -0.5, '-0.5'],
  ['General', 0.1 + 0.2, '0.3'],
  ['General', 1234567890123456, '1234567890123456'],
  ['General', 4915112345678901, '4915112345678901'],
  ['General', 1e21, '1000000000000000000000'],
  ['General', 1.5e-7, '0.00000015'],
  ['@', 1234567890123, '1234567890123'],
  ['0.00E+00', 1234567890123456, '1234567890123456'],
  ['00000', 7, '00007'],
  ['0000000000', 711123456, '0711123456'],
  ['0', 1e21, '1000000000000000000000'],
  ['000', -7, '-007'],
  ['0.00', 2.5, '2.50'],
  ['#,##0.00', 1234.5, '1,234.50'],
  ['0%', 0.12, '12%'],
  ['"$"#,##0.00', 5, '$5.00'],
  ['_-* #,##0.00\\ [$€-407]_-', 5, '5.00 €'],
  ['[<=9999999]###-####;(###) ###-####', 5550101234, '(555) 010-1234'],
  ['# ?/?', 0.5, '1/2'],
  ['dd/mm/yyyy', 46318.5, '2026-10-23'],
  ['m/d/yy', 46318, '2026-10-23'],
  ['[$-409]d-mmm-yy;@', 46318, '2026-10-23'],
  ['[$-F800]dddd, mmmm dd, yyyy', 46318, '2026-10-23'],
  ['yyyy"年"m"月"d"日"', 46318, '2026-10-23'],
  ['yyyy年m月d日', 46318, '2026-10-23'],
  ['mmm-yy', 46318, '2026-10-23'],
  ['yyyy-mm-dd hh:mm', 46318.5, '2026-10-23T12:00:00'],
  ['m/d/yy h:mm', 46318, '2026-10-23T00:00:00'],
  ['dd.mm.yyyy hh:mm:ss.000', 46318.99999999, '2026-10-24T00:00:00'],
  ['d/m/yyyy h:mm AM/PM', 46318.75, '2026-10-23T18:00:00'],
  ['h:mm', 0.5, '12:00:00'],
  ['mm:ss', 0.0001, '00:00:09'],
  ['[h]:mm:ss', 1.5, '36:00:00'],
  ['dd/mm/yyyy', 60, '1900-02-29'],
  ['dd/mm/yyyy', 59, '1900-02-28'],
  ['dd/mm/yyyy', 1, '1900-01-01'],
  ['dd/mm/yyyy', 61, '1900-03-01'],
  ['dd/mm/yyyy', 2_958_465, '9999-12-31'],
  ['dd/mm/yyyy', 2_958_466, '2958466'],
  ['dd/mm/yyyy', -1, '-1'],
])('the format %s shows %d as %s', (format, value, text) => {
  expect(numberText(format, false)(value)).toBe(text)
})

test('in the 1904 date system the same day has another number', () => {
  expect(numberText('dd/mm/yyyy', true)(46318 - 1462)).toBe('2026-10-23')
  expect(numberText('dd/mm/yyyy', true)(0)).toBe('1904-01-01')
})

test('digits that a float cannot hold are taken as the file spells them', () => {
  expect(generalText(Number('12345678901234567890'), '12345678901234567890')).toBe('12345678901234567890')
  expect(numberText('0', false)(Number('12345678901234567890'), '12345678901234567890')).toBe(
    '12345678901234567890',
  )
})

test('no number in any format shows an exponent or throws', () => {
  const formats = fc.oneof(fc.constantFrom(...Object.values(BUILTIN_FORMATS)), fc.string())
  fc.assert(
    fc.property(formats, fc.double({ noNaN: true, noDefaultInfinity: true }), (format, value) => {
      const text = numberText(format, false)(value)
      if (Object.values(BUILTIN_FORMATS).includes(format))
        expect(text).not.toMatch(/\dE[+-]?\d|NaN|undefined/i)
    }),
    { numRuns: 3_000 },
  )
})
