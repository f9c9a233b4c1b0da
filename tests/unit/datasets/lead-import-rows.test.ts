import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { SheetRow } from '#lib/domain/datasets/cells'
import { type ColumnMapping, planImport } from '#lib/domain/datasets/plan'
import { rowJudge } from '#lib/domain/datasets/rows'

const HEADER = ['Name', 'Email', 'Score', '', 'Notes']

function plan(mapping: ColumnMapping, options: { header?: string[]; email_required?: boolean } = {}) {
  return planImport({
    header: options.header ?? HEADER,
    header_row: 3,
    mapping,
    email_required: options.email_required ?? true,
  })
}

function judge(
  mapping: ColumnMapping,
  rows: SheetRow[],
  options: { header?: string[]; email_required?: boolean } = {},
) {
  const planned = plan(mapping, options)
  if (!planned.ok) throw new Error(JSON.stringify(planned.problems))
  return rows.map(rowJudge(planned.plan))
}

describe('the mapping is checked before a row is read', () => {
  test.each<[string, ColumnMapping, string | null, string]>([
    ['a column that is not there', { Email: 'email', Nope: 'city' }, 'Nope', 'unknown_column'],
    ['two columns for one field', { Email: 'email', Notes: 'email' }, 'Notes', 'field_mapped_twice'],
    ['no column for the address', { Name: 'full_name' }, null, 'email_not_mapped'],
  ])('%s', (_, mapping, column, code) => {
    expect(plan(mapping)).toMatchObject({ ok: false, problems: [{ code, column }] })
  })

  test('names match whatever their case and blanks; unnamed columns by their letter', () => {
    const planned = plan({ ' email ': 'email', NAME: 'first_name', 'Column D': 'city', Notes: null })
    expect(planned.ok && [0, 1, 2, 3, 4, 5].map(planned.plan.columnField)).toEqual([
      'first_name',
      'email',
      'score',
      'city',
      'notes',
      'column_f',
    ])
  })

  test('a slug never meets a mapped field, the address or another slug', () => {
    const planned = plan(
      { Mail: 'email', Firm: 'company' },
      { header: ['Mail', 'Firm', 'Company', 'Email', 'Email!', 'Ｅmail', '%'] },
    )
    expect(planned.ok && [0, 1, 2, 3, 4, 5, 6].map(planned.plan.columnField)).toEqual([
      'email',
      'company',
      'company_2',
      'email_2',
      'email_3',
      'email_4',
      'column_g',
    ])
  })

  test('enrichment and extraction do without an address', () => {
    expect(plan({ Name: 'full_name' }, { email_required: false }).ok).toBe(true)
  })
})

describe('each row is kept or refused', () => {
  test('a kept row holds every filled cell under its field', () => {
    const rows = [{ row_number: 4, cells: [' Anna ', 'ANNA@Example.com', '#N/A', 'd', ' ', 'late'] }]
    expect(judge({ Email: 'email', Name: 'first_name' }, rows)).toEqual([
      {
        kind: 'kept',
        lead: {
          email: 'anna@example.com',
          data: { first_name: 'Anna', email: 'anna@example.com', column_d: 'd', column_f: 'late' },
        },
      },
    ])
  })

  test.each<[string, string[], object]>([
    ['missing_email', ['Ben'], { code: 'missing_email', cell: 'B17', column_name: 'Email', value: null }],
    ['invalid_email', ['Ben', 'ben@'], { code: 'invalid_email', cell: 'B17', value: 'ben@' }],
    ['a formula error', ['Ben', '#N/A'], { code: 'invalid_email', value: '#N/A' }],
    [
      'too_long',
      ['Ben', 'b@example.com', '', '', 'x'.repeat(32_768)],
      { code: 'too_long', cell: 'E17', column_name: 'Notes' },
    ],
  ])('refused with the cell to look at: %s', (_, cells, reject) => {
    const [verdict] = judge({ Email: 'email' }, [{ row_number: 17, cells }])
    expect(verdict).toMatchObject({ kind: 'refused', reject: { row_number: 17, ...reject } })
  })

  test('of equal addresses the first wins, and the others say which row that is', () => {
    const verdicts = judge({ Email: 'email' }, [
      { row_number: 7, cells: ['', 'a@example.com'] },
      { row_number: 9, cells: ['', ' A@EXAMPLE.COM '] },
    ])
    expect(verdicts.map((verdict) => verdict.kind)).toEqual(['kept', 'refused'])
    expect(verdicts[1]).toMatchObject({
      reject: { code: 'duplicate_email', cell: 'B9', value: 'A@EXAMPLE.COM' },
    })
    expect(verdicts[1]).toHaveProperty('reject.reason', expect.stringContaining('Row 7'))
  })

  test('further addresses of a cell are kept beside the first', () => {
    const [verdict] = judge({ Email: 'email' }, [
      { row_number: 4, cells: ['', 'a@example.com; b@example.org'] },
    ])
    expect(verdict).toHaveProperty('lead.data', { email: 'a@example.com', other_emails: 'b@example.org' })
  })

  test('they join those of the column that an export has for them', () => {
    const planned = plan({ Email: 'email' }, { header: ['Other emails', 'Email'] })
    if (!planned.ok) throw new Error('not planned')
    const verdict = rowJudge(planned.plan)({
      row_number: 4,
      cells: ['dd@example.org, c@example.org', 'a@example.com; c@example.org; d@example.org'],
    })
    expect(verdict).toHaveProperty('lead.data', {
      email: 'a@example.com',
      other_emails: 'dd@example.org, c@example.org, d@example.org',
    })
  })

  test('without need of an address: none is null, a broken one is refused all the same', () => {
    const rows = [
      { row_number: 4, cells: ['Anna'] },
      { row_number: 5, cells: ['Ben', 'oops'] },
    ]
    const verdicts = judge({ Email: 'email' }, rows, { email_required: false })
    expect(verdicts[0]).toEqual({ kind: 'kept', lead: { email: null, data: { name: 'Anna' } } })
    expect(verdicts[1]).toMatchObject({ kind: 'refused', reject: { code: 'invalid_email' } })
  })

  test('rows down to the header and rows that show nothing count nowhere', () => {
    const verdicts = judge({ Email: 'email' }, [
      { row_number: 1, cells: ['Title'] },
      { row_number: 3, cells: HEADER },
      { row_number: 4, cells: ['', ' \u00a0', '\u200b'] },
    ])
    expect(verdicts.map((verdict) => verdict.kind)).toEqual(['blank', 'blank', 'blank'])
  })

  test('for any rows: filled rows in = kept + refused, kept addresses are unique, no kept cell is empty', () => {
    const cell = fc.oneof(
      fc.constantFrom('', ' ', 'a@example.com', 'B@example.com', 'b@EXAMPLE.com', 'x', '#N/A'),
      fc.emailAddress(),
      fc.string({ unit: 'binary' }),
    )
    fc.assert(
      fc.property(fc.array(fc.array(cell, { maxLength: 7 })), fc.boolean(), (cellRows, email_required) => {
        const rows = cellRows.map((cells, index) => ({ row_number: index + 4, cells }))
        const verdicts = judge({ Email: 'email' }, rows, { email_required })
        const kept = verdicts.flatMap((verdict) => (verdict.kind === 'kept' ? [verdict.lead] : []))
        const refused = verdicts.filter((verdict) => verdict.kind === 'refused').length
        const blank = verdicts.filter((verdict) => verdict.kind === 'blank').length
        expect(kept.length + refused + blank).toBe(rows.length)
        const emails = kept.flatMap((lead) => (lead.email === null ? [] : [lead.email]))
        expect(new Set(emails).size).toBe(emails.length)
        if (email_required) expect(emails.length).toBe(kept.length)
        for (const lead of kept) {
          expect(
            Object.values(lead.data).every(
              (text) => text !== '' && text.isWellFormed() && !text.includes('\0'),
            ),
          ).toBe(true)
        }
      }),
    )
  })
})
