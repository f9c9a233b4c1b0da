import { expect, test } from 'vitest'
import { CheckSpreadsheet } from '#lib/contracts/datasets/uploads'
import { ReadDatasetVerification } from '#lib/contracts/enrichment/verification'
import { AddSuppressions } from '#lib/contracts/leads/suppressions'
import { db } from '#lib/db/client'
import { call } from '#tests/support/call'
import { aDataset, aUser } from '#tests/support/scenes/factories'

type User = Awaited<ReturnType<typeof aUser>>

const LIST = [
  'ada@example.com',
  '@globex.example',
  'linkedin.com/in/grace-hopper',
  '+491701234567',
  't.me/known',
]
type Row = { email: string | null; [field: string]: string | null }
const ROWS: Row[] = [
  { email: 'ada@example.com', linkedin: 'https://www.linkedin.com/in/grace-hopper/' },
  { email: 'ben@globex.example' },
  { email: 'cy@example.com', linkedin: 'http://de.linkedin.com/in/Grace-Hopper' },
  { email: 'dee@example.com', phone: '0170 1234567', country: 'Germany' },
  // The same digits in another country are another person's number.
  { email: 'eve@example.com', phone: '0170 1234567', country: 'France' },
  { email: 'fay@example.com' },
]

/** A workspace with such a suppression list that knows the profile of one of these people from elsewhere. */
async function listing(values: string[]): Promise<User> {
  const owner = await aUser()
  const { workspace_id } = owner
  if (values.length > 0) await call(AddSuppressions, { as: owner, body: { values } })
  await db.person.create({ data: { workspace_id, email: 'fay@example.com', profile: 'telegram:known' } })
  return owner
}

async function checked(owner: User, rows: Row[]) {
  const columns = ['email', 'linkedin', 'phone', 'country']
  const lines = rows.map((row) => columns.map((column) => row[column] ?? '').join(','))
  const file = new File([[columns.join(','), ...lines].join('\n')], 'leads.csv', { type: 'text/csv' })
  const { status, body } = await call(CheckSpreadsheet, {
    as: owner,
    body: { file, pipeline_type: 'enrichment' },
  })
  expect([status, body.kept]).toEqual([200, rows.length])
  return body.suppressed
}

async function onTab(owner: User, rows: Row[]) {
  const { dataset_id } = await aDataset(owner, rows)
  const { body } = await call(ReadDatasetVerification, { as: owner, params: { dataset_id } })
  return body.suppressed
}

test('rows are counted as suppressed by whatever an entry means them by, and once', async () => {
  const owner = await listing(LIST)
  expect(await checked(owner, ROWS)).toEqual({
    count: 5,
    samples: ['ada@example.com', 'ben@globex.example', 'cy@example.com'],
  })
  expect(await onTab(owner, ROWS)).toBe(5)
})

test('where the list knows addresses alone, the others are not', async () => {
  const owner = await listing(LIST.slice(0, 2))
  expect((await checked(owner, ROWS)).count).toBe(2)
  expect(await onTab(owner, ROWS)).toBe(2)
  const nobody = await listing([])
  expect(await checked(nobody, ROWS)).toEqual({ count: 0, samples: [] })
  expect(await onTab(nobody, ROWS)).toBe(0)
})

test('rows without an address are too', async () => {
  const owner = await listing(LIST)
  const rows: Row[] = [
    { email: null, linkedin: 'linkedin.com/in/grace-hopper', phone: '+49 170 1234567' },
    { email: null, linkedin: 'linkedin.com/in/alan' },
  ]
  expect(await onTab(owner, rows)).toBe(1)
  expect(await checked(owner, rows)).toEqual({ count: 1, samples: ['linkedin.com/in/grace-hopper'] })
})
