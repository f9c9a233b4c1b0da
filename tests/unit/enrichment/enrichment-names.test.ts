import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readCompany } from '#lib/domain/enrichment/company-name'
import { repairNameCase } from '#lib/domain/enrichment/letter-case'
import { splitFullName } from '#lib/domain/enrichment/person-name'

describe('full names', () => {
  test.each<[string, string, string, boolean]>([
    ['Ada Lovelace', 'Ada', 'Lovelace', true],
    ['  Ada   Lovelace ', 'Ada', 'Lovelace', true],
    ['Dr. Ada Lovelace', 'Ada', 'Lovelace', true],
    ['Prof. Dr. Ada Lovelace, PhD', 'Ada', 'Lovelace', true],
    ['Sammy Davis Jr.', 'Sammy', 'Davis', true],
    ['Henry Ford II', 'Henry', 'Ford', true],
    ['John F. Kennedy', 'John', 'Kennedy', true],
    ['J. R. R. Tolkien', 'J. R. R.', 'Tolkien', false],
    ['Rutger van der Berg', 'Rutger', 'van der Berg', true],
    ['Juan de la Cruz', 'Juan', 'de la Cruz', true],
    ['Leonardo da Vinci', 'Leonardo', 'da Vinci', true],
    ['Maria del Carmen Lopez', 'Maria', 'del Carmen Lopez', false],
    ['Ludwig von Mises', 'Ludwig', 'von Mises', true],
    ['Lovelace, Ada', 'Ada', 'Lovelace', true],
    ['van der Berg, Rutger', 'Rutger', 'van der Berg', true],
    ['Lovelace, Dr. Ada', 'Ada', 'Lovelace', true],
    ['Jean-Luc Picard', 'Jean-Luc', 'Picard', true],
    ['Mary Jane Watson', 'Mary Jane', 'Watson', false],
    ['ADA LOVELACE', 'Ada', 'Lovelace', true],
    ['ada lovelace', 'Ada', 'Lovelace', true],
    ["SHAUN O'BRIEN", 'Shaun', "O'Brien", true],
    ['JOHN MCDONALD', 'John', 'McDonald', true],
    ['RUTGER VAN DER BERG', 'Rutger', 'van der Berg', true],
    ['Marie DUPONT', 'Marie', 'Dupont', true],
    ['Jack Ma', 'Jack', 'Ma', true],
    ['Ada (Countess) Lovelace', 'Ada', 'Lovelace', true],
    ['Владимир Петров', 'Владимир', 'Петров', true],
    ['Łukasz Żak', 'Łukasz', 'Żak', true],
  ])('%s', (text, first_name, last_name, is_certain) => {
    expect(splitFullName(text)).toMatchObject({ kind: 'split', first_name, last_name, is_certain })
  })

  test.each([
    ['', 'no_name'],
    ['Ada', 'only_one_word'],
    ['山田 太郎', 'name_order_unknown'],
    ['김 철수', 'name_order_unknown'],
    ['ada@example.com', 'no_name'],
    ['+49 30 123456', 'no_name'],
    ['Ada and Bob Smith', 'no_name'],
    ['Sales Team', 'no_name'],
    ['Acme GmbH', 'no_name'],
    ['x'.repeat(500), 'no_name'],
  ])('%s is left alone', (text, reason) => {
    expect(splitFullName(text)).toEqual({ kind: 'unsure', reason })
  })

  test('titles and suffixes are kept apart', () => {
    expect(splitFullName('Prof. Dr. Ada Lovelace PhD')).toMatchObject({ prefix: 'Prof. Dr.', suffix: 'PhD' })
  })

  const word = fc.stringMatching(/^[A-Za-zÀ-ÖØ-öø-ÿ.'-]{1,12}$/)
  test('never invents a letter, whatever it is given', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(word, { maxLength: 6 }).map((all) => all.join(' ')),
        ),
        (text) => {
          const read = splitFullName(text)
          if (read.kind === 'unsure') return
          // Some capital letters become two letters in lower case, and some small ones in upper case (ß, ŉ).
          const fold = (value: string) => value.toUpperCase().toLowerCase().replace(/[\s]/g, '')
          const whole = fold(text)
          for (const part of [read.first_name, read.last_name].flatMap((name) => name.split(' ')))
            expect(whole).toContain(fold(part))
          expect(read.first_name).not.toBe('')
          expect(read.last_name).not.toBe('')
        },
      ),
    )
  })

  test('fixing the case changes nothing but the case, and twice is once', () => {
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 4 }).map((all) => all.join(' ')),
        (name) => {
          const once = repairNameCase(name)
          expect(once.toLowerCase()).toBe(name.toLowerCase())
          if (/^\p{Lu}\p{Ll}+$/u.test(name)) expect(once).toBe(name)
        },
      ),
    )
  })
})

describe('companies', () => {
  test.each([
    ['ACME, Inc.', 'Acme', 'Inc.'],
    ['Acme Inc', 'Acme', 'Inc'],
    ['IBM Corporation', 'IBM', 'Corporation'],
    ['BMW AG', 'BMW', 'AG'],
    ['SAP SE', 'SAP', 'SE'],
    ['HSBC', 'HSBC', ''],
    ['3M', '3M', ''],
    ['Müller GmbH & Co. KG', 'Müller', 'GmbH & Co. KG'],
    ['MÜLLER MASCHINENBAU GMBH', 'Müller Maschinenbau', 'GMBH'],
    ['BANK OF AMERICA', 'Bank of America', ''],
    ['acme software ltd', 'Acme Software', 'ltd'],
    ['eBay Inc.', 'eBay', 'Inc.'],
    ['Foo Co., Ltd.', 'Foo', 'Co., Ltd.'],
    ['Booking.com B.V.', 'Booking.com', 'B.V.'],
    ['Grupo Sol S.A. de C.V.', 'Grupo Sol', 'S.A. de C.V.'],
    ['Telefónica, S.A.', 'Telefónica', 'S.A.'],
    ['Example Sp. z o.o.', 'Example', 'Sp. z o.o.'],
    ['株式会社サンプル', 'サンプル', '株式会社'],
    ['Acme (formerly Foo)', 'Acme', ''],
    ['Inc.', 'Inc.', ''],
    ['The Gates Foundation', 'The Gates Foundation', ''],
    ['"Acme"', 'Acme', ''],
    ['adidas AG', 'Adidas', 'AG'],
  ])('%s', (text, name, legal_form) => {
    expect(readCompany(text)).toEqual({ name, legal_form })
  })

  test.each(['', '  ', '-', '"…"'])('%j is no company', (text) => {
    expect(readCompany(text)).toBeNull()
  })

  test('a name is never empty, and its letters are those of the cell', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), (text) => {
        const read = readCompany(text)
        if (!read) return
        const fold = (value: string) => value.toUpperCase().toLowerCase().replace(/\s/g, '')
        expect(read.name.trim()).not.toBe('')
        const letters = [...fold(text)]
        // The letters appear in the original order; remarks and the legal form are left out.
        const isThere = [...fold(read.name)].every((letter) => {
          const at = letters.indexOf(letter)
          if (at >= 0) letters.splice(0, at + 1)
          return at >= 0
        })
        expect(isThere).toBe(true)
      }),
    )
  })
})
