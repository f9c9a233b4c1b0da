import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readEmailCell } from '#lib/domain/datasets/email-address'

describe('an address is read out of a cell as people fill it', () => {
  test.each([
    ['plain', 'anna@example.com', 'anna@example.com'],
    ['blanks around it', '  anna@example.com \t', 'anna@example.com'],
    ['no-break and zero-width blanks', '\u00a0anna@example.com\u200b', 'anna@example.com'],
    ['a byte order mark', '\ufeffanna@example.com', 'anna@example.com'],
    ['upper case', 'ANNA.Smith@EXAMPLE.Com', 'anna.smith@example.com'],
    ['mailto', 'mailto:anna@example.com?subject=Hi', 'anna@example.com'],
    ['mailto in capitals', 'MAILTO:anna@example.com', 'anna@example.com'],
    ['a name before it', 'Anna Smith <anna@example.com>', 'anna@example.com'],
    ['a quoted name with a comma', '"Smith, Anna" <anna@example.com>', 'anna@example.com'],
    ['brackets alone', '<anna@example.com>', 'anna@example.com'],
    ['quotes', '"anna@example.com"', 'anna@example.com'],
    ['an apostrophe in front, as spreadsheets mark text', "'anna@example.com", 'anna@example.com'],
    ['an apostrophe inside', "o'neil@example.com", "o'neil@example.com"],
    ['a comma behind', 'anna@example.com,', 'anna@example.com'],
    ['a dot behind', 'anna@example.com.', 'anna@example.com'],
    ['a remark behind', 'anna@example.com (private)', 'anna@example.com'],
    ['full-width characters', 'ａｎｎａ＠ｅｘａｍｐｌｅ．ｃｏｍ', 'anna@example.com'],
    ['plus and other legal signs', 'anna+list_1=x@sub.example.org', 'anna+list_1=x@sub.example.org'],
    ['a unicode domain', 'anna@bücher.example', 'anna@xn--bcher-kva.example'],
    ['a Chinese domain with its own dot', 'li@例え。テスト', 'li@xn--r8jz45g.xn--zckzah'],
    ['control characters', 'an\u0000na@example.com\u0007', 'anna@example.com'],
    ['a line break behind', 'anna@example.com\r\n', 'anna@example.com'],
  ])('%s', (_, cell, email) => {
    expect(readEmailCell(cell)).toEqual({ kind: 'address', email, others: [] })
  })

  test.each([
    ['semicolon', 'a@example.com; b@example.org'],
    ['comma', 'a@example.com,b@example.org'],
    ['line break', 'a@example.com\nb@example.org'],
    ['slash', 'a@example.com / b@example.org'],
    ['blank', 'a@example.com b@example.org'],
    ['names', 'A <a@example.com>, B <b@example.org>'],
    ['a broken one first', 'broken@; a@example.com; b@example.org'],
    ['the same twice', 'a@example.com; A@example.com; b@example.org'],
  ])('of several addresses the first valid one counts and none is lost: %s', (_, cell) => {
    expect(readEmailCell(cell)).toEqual({
      kind: 'address',
      email: 'a@example.com',
      others: ['b@example.org'],
    })
  })
})

describe('what is no address is refused with its reason', () => {
  test.each([
    ['not-an-address', /no @/],
    ['anna@', /nothing after/],
    ['@example.com', /nothing before/],
    ['anna@@example.com', /more than one @/],
    ['anna@example', /no dot/],
    ['anna@localhost', /no dot/],
    ['anna@example..com', /empty part/],
    ['anna@-example.com', /hyphen/],
    ['anna@example.com-', /hyphen|end in/],
    ['anna@example.c', /end in "\.c"/],
    ['anna@192.168.0.1', /end in "\.1"/],
    ['anna@exa_mple.com', /character that domains/],
    ['anna@gmail,com', /no dot/],
    ['john smith@example.com', /space inside/],
    ['john @example.com', /space inside/],
    ['.anna@example.com@', /./],
    ['an..na@example.com', /two in a row/],
    ['anna.@example.com', /starts or ends with a dot/],
    ['änna@example.com', /before the @ contains/],
    [`${'a'.repeat(65)}@example.com`, /64/],
    [`anna@${'a'.repeat(64)}.com`, /too long/],
    [`anna@${'abcdefghi.'.repeat(25)}com`, /254|too long/],
    ['#N/A', /contains an error/],
    ['#REF!', /contains an error/],
    ['n/a', /no @/],
    ['-', /no @/],
    ['x'.repeat(100_000), /far more/],
  ])('%s', (cell, reason) => {
    const reading = readEmailCell(cell)
    expect(reading.kind).toBe('invalid')
    expect(reading.kind === 'invalid' && reading.reason).toMatch(reason)
  })

  test.each(['', '   ', '\u00a0', '\u200b', '\n'])('nothing at all is missing, not invalid: %j', (cell) => {
    expect(readEmailCell(cell)).toEqual({ kind: 'missing' })
  })
})

describe('for any text', () => {
  test('a word that stands alone reads as it does in brackets', () => {
    const word = fc.string({ unit: fc.constantFrom(...'abA1_.-+@'), maxLength: 40 })
    fc.assert(
      fc.property(word, word, (before, after) => {
        const cell = `${before}@${after}x`
        expect(readEmailCell(cell)).toEqual(readEmailCell(`<${cell}>`))
      }),
      { numRuns: 5_000 },
    )
  })

  test('reading its own answer again changes nothing', () => {
    fc.assert(
      fc.property(fc.oneof(fc.emailAddress(), fc.string({ unit: 'binary' })), (cell) => {
        const reading = readEmailCell(cell)
        if (reading.kind !== 'address') return
        expect(readEmailCell(reading.email)).toEqual({ kind: 'address', email: reading.email, others: [] })
        expect(reading.email).toMatch(/^[!-~]+@[a-z0-9.-]+\.[a-z0-9-]{2,}$/)
        expect(reading.email.length).toBeLessThanOrEqual(254)
      }),
      { numRuns: 2_000 },
    )
  })

  test('hostile cells are answered at once', () => {
    for (const cell of [
      ' '.repeat(40_000),
      '<'.repeat(2_000),
      `${' x'.repeat(900)}@`,
      '('.repeat(2_000),
      'a@'.repeat(900),
    ]) {
      expect(readEmailCell(cell).kind).not.toBe('address')
    }
  })
})
