import { expect, test } from 'vitest'
import { onlyUser } from '#lib/domain/leads/telephone-users'

const ada = { person_id: 'a', name: 'ada@acme.example' }
const row = (name: string) => ({ person_id: null, name })

test.each([
  ['nobody', [], null],
  ['a person', [ada], ada],
  ['a person and a row of their address', [row(ada.name), ada], ada],
  [
    'a person under two addresses',
    [ada, { ...ada, name: 'ada@home.example' }],
    { ...ada, name: 'ada@home.example' },
  ],
  ['an address that is nobody yet', [row('bo@acme.example')], row('bo@acme.example')],
  ['a person and somebody else’s row', [ada, row('bo@acme.example')], null],
  ['two people', [ada, { person_id: 'b', name: 'bo@acme.example' }], null],
])('a number of %s', (_, users, only) => {
  expect(onlyUser(users)).toEqual(only)
})
