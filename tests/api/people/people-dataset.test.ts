import { beforeEach, expect, test } from 'vitest'
import { ListDatasetRows } from '#lib/contracts/datasets/datasets'
import { CreatePeopleDataset, ExportPeople } from '#lib/contracts/leads/people'
import { db } from '#lib/db/client'
import { call } from '#tests/support/call'
import { aUser } from '#tests/support/scenes/factories'
import { aMember } from '#tests/support/scenes/team'

let owner: Awaited<ReturnType<typeof aUser>>
beforeEach(async () => {
  owner = await aUser()
})

const known = (people: object[], { workspace_id } = owner) =>
  db.person.createMany({ data: people.map((person) => ({ workspace_id, ...person })) })
const make = (body: object, as: { user_id: string } = owner) => call(CreatePeopleDataset, { as, body })
const exported = async (query: Record<string, string> = {}) =>
  (await call(ExportPeople, { as: owner, query })).text.replace('\uFEFF', '').trimEnd().split('\r\n')

const ADA = {
  email: 'ada@acme.example',
  first_name: 'Ada',
  company: 'Acme',
  country: 'Spain',
  tags: ['vip', 'a'],
}

test('a dataset is made of whom the filters leave, with what is known of them under the fields of lists', async () => {
  await known([
    ADA,
    { profile: 'linkedin:linkedin.com/in/eva', first_name: 'Eva', country: 'SPAIN' },
    { profile: 'whatsapp:+34600111222', country: 'Spain' },
    { email: 'bo@acme.example', country: 'France' },
  ])
  const { status, body } = await make({ dataset_name: 'In Spain', filters: { country: 'spain' } })
  expect([status, body]).toMatchObject([
    201,
    { dataset_name: 'In Spain', source_type: 'people', row_count: 3, reject_count: 0, session_id: null },
  ])
  const rows = await call(ListDatasetRows, { as: owner, params: { dataset_id: body.dataset_id } })
  expect(rows.body.items.map(({ email, data }) => ({ email, data }))).toEqual([
    { email: null, data: { whatsapp: '+34600111222', country: 'Spain' } },
    {
      email: null,
      data: { linkedin_url: 'https://linkedin.com/in/eva', first_name: 'Eva', country: 'SPAIN' },
    },
    {
      email: 'ada@acme.example',
      data: {
        email: 'ada@acme.example',
        first_name: 'Ada',
        company: 'Acme',
        country: 'Spain',
        tags: 'vip, a',
      },
    },
  ])
  const { columns } = await db.dataset.findUniqueOrThrow({ where: { dataset_id: body.dataset_id } })
  expect(columns).toEqual(
    expect.arrayContaining([
      { name: 'Email', key: 'email' },
      { name: 'linkedin_url', key: 'linkedin_url' },
    ]),
  )
  expect(columns).not.toContainEqual(expect.objectContaining({ key: 'phone' }))
})

test('each page follows the one before, so that nobody is left out or comes twice', async () => {
  await known(Array.from({ length: 2_001 }, (_, at) => ({ email: `p${at}@acme.example` })))
  const { body } = await make({ dataset_name: 'All', filters: {} })
  expect(body.row_count).toBe(2_001)
  const rows = await db.datasetRow.findMany({ where: { dataset_id: body.dataset_id } })
  expect(new Set(rows.map(({ email }) => email)).size).toBe(2_001)
  expect(Math.max(...rows.map(({ lead_index }) => lead_index))).toBe(2_000)
})

test('of those who were merged, of other workspaces, and of nobody, no dataset is made', async () => {
  const { person_id } = await db.person.create({ data: { workspace_id: owner.workspace_id, ...ADA } })
  await known([{ email: 'ada@home.example', merged_into_id: person_id }])
  await known([{ email: 'cy@acme.example', country: 'Peru' }], await aUser())
  expect((await make({ dataset_name: 'One', filters: {} })).body.row_count).toBe(1)
  expect((await make({ dataset_name: 'None', filters: { country: 'Peru' } })).error.detail).toBe('no_people')
  expect(await db.dataset.count({ where: { workspace_id: owner.workspace_id } })).toBe(1)
})

test.each([
  [{ dataset_name: '', filters: {} }, 'dataset_name'],
  [{ dataset_name: 'A' }, 'filters'],
  [{ dataset_name: 'A', filters: { page: '2' } }, 'page'],
  [{ dataset_name: 'A', filters: { replied: 'perhaps' } }, 'replied'],
])('422 %o names the field', async (body, field) => {
  await known([ADA])
  const { status, text } = await make(body)
  expect([status, text]).toEqual([422, expect.stringContaining(field)])
  expect(await db.dataset.count({ where: { workspace_id: owner.workspace_id } })).toBe(0)
})

test('an export has whom the filters leave, formulas as text; viewers have it too, and make no dataset', async () => {
  await known([ADA, { email: 'bo@acme.example', first_name: '=HYPERLINK("http://evil.example")' }])
  const [header, bo, ada] = await exported()
  expect(header).toBe(
    'email,profile,first_name,last_name,title,company,country,phone,tags,replied,last_contacted_at,person_id',
  )
  expect(bo).toContain(`'=HYPERLINK`)
  expect(ada).toMatch(/^ada@acme\.example,,Ada,,,Acme,Spain,,"vip, a",false,,/)
  expect(await exported({ country: 'spain' })).toHaveLength(2)
  const viewer = await aMember(owner, 'viewer')
  const { status, headers } = await call(ExportPeople, { as: viewer, query: { format: 'xlsx' } })
  expect([status, headers.get('content-disposition')]).toEqual([200, expect.stringContaining('People.xlsx')])
  expect((await make({ dataset_name: 'Mine', filters: {} }, viewer)).status).toBe(403)
})
