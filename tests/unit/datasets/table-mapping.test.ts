import { expect, test } from 'vitest'
import { columnNames } from '#lib/domain/datasets/columns'
import { planImport } from '#lib/domain/datasets/plan'
import { knownKeys, tableMapping } from '#lib/domain/datasets/table-mapping'

const COLUMNS = [
  { name: 'E-Mail', key: 'email' },
  { name: 'Firma', key: 'company' },
  { name: 'Score', key: 'score' },
]

test('columns mean what they mean in the dataset, and new ones what was suggested, unless another has it', () => {
  const names = ['e-mail ', 'Firma', 'Score', 'Town', 'Company name', 'Note']
  const suggested = { Town: 'city', 'Company name': 'company', Firma: 'title' } as const
  expect(tableMapping(names, knownKeys(names, COLUMNS), suggested)).toEqual({
    'e-mail ': 'email',
    Firma: 'company',
    Score: null,
    Town: 'city',
    'Company name': null,
    Note: null,
  })
})

/** The columns of the file, followed by those that a session added. */
const ENRICHED = [
  { name: 'Email', key: 'email' },
  { name: 'Company name', key: 'company' },
  { name: 'Company name', key: 'company_name' },
  { name: 'Legal form', key: 'company_legal_form' },
  { name: 'Other emails', key: 'other_emails' },
]

test.each([
  ['its file', ['Email', 'Company name'], ['email', 'company']],
  [
    'an export of it',
    ['Email', 'Company name', 'Company name', 'Legal form', 'Other emails'],
    ['email', 'company', 'company_name', 'company_legal_form', 'other_emails'],
  ],
  [
    'another order, and columns that are new',
    ['legal form', 'Legal  form', 'Email', 'Company', 'constructor'],
    ['company_legal_form', 'legal_form', 'email', 'company', 'constructor'],
  ],
])('a dataset that was enriched has no column twice: %s', (_, header, expected) => {
  const nameAt = columnNames(header)
  const names = header.map((_, index) => nameAt(index))
  const keys = knownKeys(names, ENRICHED)
  const mapping = tableMapping(names, keys, { Company: 'company' })
  const planned = planImport({ header, header_row: 1, mapping, email_required: true, keys })
  expect(planned.ok && header.map((_, index) => planned.plan.columnField(index))).toEqual(expected)
})
