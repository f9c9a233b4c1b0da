import { expect, test } from 'vitest'
import { tableMapping } from '#lib/domain/datasets/table-mapping'

const COLUMNS = [
  { name: 'E-Mail', key: 'email' },
  { name: 'Firma', key: 'company' },
  { name: 'Score', key: 'score' },
]

test('columns mean what they mean in the dataset, and new ones what was suggested, unless another has it', () => {
  const names = ['e-mail ', 'Firma', 'Score', 'Town', 'Company name', 'Note']
  const suggested = { Town: 'city', 'Company name': 'company', Firma: 'title' } as const
  expect(tableMapping(names, COLUMNS, suggested)).toEqual({
    'e-mail ': 'email',
    Firma: 'company',
    Score: null,
    Town: 'city',
    'Company name': null,
    Note: null,
  })
})
