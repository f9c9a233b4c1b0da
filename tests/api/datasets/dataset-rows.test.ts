import { describe, expect, test } from 'vitest'
import {
  AddDatasetRows,
  EditDatasetRow,
  RemoveDatasetRow,
  RemoveDatasetRows,
} from '#lib/contracts/datasets/dataset-rows'
import { ExportDataset, ListDatasetRows, ReadDataset } from '#lib/contracts/datasets/datasets'
import { ListAuditEvents } from '#lib/contracts/workspaces/audit'
import { db } from '#lib/db/client'
import { call } from '#tests/support/call'
import { aDataset, aUser } from '#tests/support/scenes/factories'

type Owner = Awaited<ReturnType<typeof aUser>>
type Body = Record<string, unknown>

async function scene(rows: Parameters<typeof aDataset>[1] = 3) {
  const owner = await aUser()
  const { dataset_id } = await aDataset(owner, rows)
  const params = { dataset_id }
  return {
    owner,
    params,
    add: (given: Body[], fields: Body = {}) =>
      call(AddDatasetRows, { as: owner, params, body: { rows: given, ...fields } }),
    edit: (lead_index: number, data: Body, fields: Body = {}) =>
      call(EditDatasetRow, {
        as: owner,
        params: { ...params, lead_index: `${lead_index}` },
        body: { data, ...fields },
      }),
    remove: (lead_index: number) =>
      call(RemoveDatasetRow, { as: owner, params: { ...params, lead_index: `${lead_index}` } }),
    removeAll: (lead_indexes: number[]) =>
      call(RemoveDatasetRows, { as: owner, params, body: { lead_indexes } }),
    search: async (search: string) => {
      const { body } = await call(ListDatasetRows, { as: owner, params, query: { search, page_size: 100 } })
      return body.items.map(({ lead_index }) => lead_index)
    },
    list: async (page = 1, page_size = 100) =>
      (await call(ListDatasetRows, { as: owner, params, query: { page, page_size } })).body,
  }
}

const people = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => ({ email: `p${from + index}@example.com` }))

describe('adding rows', () => {
  test('they stand behind the last, in new columns where there was none, and the counts are right', async () => {
    const { owner, params, add, list } = await scene(1)
    const { status, body } = await add([
      { email: 'Ada <Ada@Example.com>', 'Company size': 12, first_name: 'Ada' },
      { 'First name': 'Nobody' },
    ])
    expect([status, body]).toEqual([200, { added: 2, updated: 0, skipped: [] }])
    const { items, total } = await list()
    expect(total).toBe(3)
    expect(items.slice(1)).toEqual([
      {
        lead_index: 1,
        email: 'ada@example.com',
        version: 1,
        data: { email: 'ada@example.com', company_size: '12', first_name: 'Ada' },
      },
      { lead_index: 2, email: null, version: 1, data: { first_name: 'Nobody' } },
    ])
    const dataset = (await call(ReadDataset, { as: owner, params })).body
    expect(dataset.row_count).toBe(3)
    expect(dataset.columns.map(({ name, key }) => [name, key])).toContainEqual([
      'Company size',
      'company_size',
    ])
  })

  test('what cannot be taken is named by its place, as an import names it, and the others are taken', async () => {
    const { add, list } = await scene([{ email: 'old@example.com' }])
    const { body } = await add([
      { email: 'nobody' },
      { email: 'OLD@example.com' },
      { email: 'new@example.com' },
      { email: 'New@Example.com ' },
      { note: '' },
      { note: 'x'.repeat(32_768) },
      { '!': 'x' },
    ])
    expect([body.added, body.updated]).toEqual([1, 0])
    expect(body.skipped.map(({ index, code }) => [index, code])).toEqual([
      [0, 'invalid_email'],
      [1, 'duplicate_email'],
      [3, 'duplicate_email'],
      [4, 'empty_row'],
      [5, 'too_long'],
      [6, 'invalid_column'],
    ])
    expect((await list()).total).toBe(2)
  })

  test('update writes over the cells that are given, found by address in its normal form, and keeps the others', async () => {
    const { add, list } = await scene([{ email: 'ada@example.com', city: 'London', title: 'Dr' }])
    const rows = [{ email: 'ADA@example.com', city: 'Oslo', title: '' }]
    const { body } = await add(rows, { on_conflict: 'update' })
    expect(body).toEqual({ added: 0, updated: 1, skipped: [] })
    expect((await list()).items).toEqual([
      expect.objectContaining({ version: 2, data: { email: 'ada@example.com', city: 'Oslo', title: 'Dr' } }),
    ])
  })

  test('without an address a row is found by its profile, however it is written; without both it is new', async () => {
    const { add, list } = await scene([{ email: null, linkedin_url: 'https://www.linkedin.com/in/ada/' }])
    const same = { linkedin_url: 'linkedin.com/in/ADA?utm=1', title: 'Dr' }
    expect((await add([same])).body.skipped[0]?.code).toBe('duplicate_profile')
    expect((await add([same, same], { on_conflict: 'update' })).body).toMatchObject({
      updated: 1,
      skipped: [{ index: 1, code: 'duplicate_profile' }],
    })
    expect((await add([{ title: 'Sir' }, { title: 'Sir' }])).body.added).toBe(2)
    expect((await list()).total).toBe(3)
  })

  test('two that add at once take different places, and each address once', async () => {
    const { add, list } = await scene(0)
    const answers = await Promise.all([0, 1, 2, 3].map((at) => add(people(20, at * 10))))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const { items, total } = await list()
    expect(answers.reduce((sum, { body }) => sum + body.added, 0)).toBe(50)
    expect([total, new Set(items.map(({ email }) => email)).size]).toEqual([50, 50])
    expect(items.map(({ lead_index }) => lead_index)).toEqual(Array.from({ length: 50 }, (_, at) => at))
  })

  test('a thousand rows are taken at once, one more is 422, and so are none', async () => {
    const { add } = await scene(0)
    expect((await add(people(1_000))).body.added).toBe(1_000)
    expect((await add(people(1_001))).status).toBe(422)
    expect((await add([])).status).toBe(422)
    expect((await add([{ email: ['a@example.com'] }])).status).toBe(422)
  })

  test.each(['import', 'enrichment', 'personalization'] as const)(
    '409 while a session of %s works on it',
    async (work) => {
      const { owner, params, add, edit, remove, removeAll, list } = await scene()
      await db.datasetSession.create({
        data: { ...params, workspace_id: owner.workspace_id, work, status: 'processing' },
      })
      const refused = [await add(people(1)), await edit(0, { a: 'b' }), await remove(0), await removeAll([0])]
      for (const { status, error } of refused) expect([status, error.detail]).toEqual([409, 'dataset_busy'])
      expect((await list()).total).toBe(3)
    },
  )
})

describe('editing a row', () => {
  test('given cells change, null empties, and the others stay', async () => {
    const { edit, list } = await scene([{ email: 'ada@example.com', city: 'London', title: 'Dr' }])
    const { status, body } = await edit(0, { city: 'Oslo', title: null, Score: 3 }, { version: 1 })
    expect(status).toBe(200)
    const data = { email: 'ada@example.com', city: 'Oslo', score: '3' }
    expect(body).toEqual({ lead_index: 0, email: 'ada@example.com', version: 2, data })
    expect((await list()).items[0]).toEqual(body)
    expect((await edit(0, { email: '' })).body).toMatchObject({ email: null, data: { city: 'Oslo' } })
  })

  test('an update that changes nothing makes no new version', async () => {
    const { add, list } = await scene([{ email: 'ada@example.com', city: 'Oslo' }])
    const rows = [{ email: 'ada@example.com', city: 'Oslo' }]
    expect((await add(rows, { on_conflict: 'update' })).status).toBe(200)
    expect((await list()).items).toMatchObject([{ version: 1 }])
  })

  test('an edit that changes nothing answers the row as it is: no version, no entry in the audit log', async () => {
    const lead = { email: 'ada@example.com', city: 'Oslo' }
    const { owner, params, edit, list } = await scene([lead])
    const before = await call(ReadDataset, { as: owner, params })
    for (const data of [
      {},
      { city: 'Oslo' },
      { City: ' Oslo ', title: null },
      { email: 'ADA@example.com' },
    ]) {
      const { status, body } = await edit(0, data, { version: 1 })
      expect(status).toBe(200)
      expect(body).toEqual({ lead_index: 0, email: lead.email, version: 1, data: lead })
    }
    expect((await list()).items).toMatchObject([{ version: 1 }])
    expect((await call(ReadDataset, { as: owner, params })).body).toEqual(before.body)
    const edits = async () =>
      (await call(ListAuditEvents, { as: owner, query: { operation: 'editDatasetRow' } })).body.items.length
    expect(await edits()).toBe(0)
    expect((await edit(0, { city: 'Bergen' }, { version: 1 })).body).toMatchObject({ version: 2 })
    expect(await edits()).toBe(1)
    const late = await edit(0, { city: 'Bergen' }, { version: 1 })
    expect([late.status, late.error.detail]).toEqual([409, 'changed_meanwhile'])
  })

  test('an address that another row has is 409, one that is none 422, and nothing is written', async () => {
    const { edit, list } = await scene([{ email: 'ada@example.com' }, { email: 'eve@example.com' }])
    const taken = await edit(0, { email: 'Eve@example.com' })
    expect([taken.status, taken.error.detail]).toEqual([409, 'address_taken'])
    const invalid = await edit(0, { email: 'eve' })
    expect([invalid.status, invalid.error.details[0].loc]).toEqual([422, ['body', 'data', 'email']])
    expect((await list()).items[0]).toMatchObject({ email: 'ada@example.com', version: 1 })
    expect((await edit(0, { email: 'ADA@example.com' })).status).toBe(200)
  })

  test.each(['3', '-1', 'x', '99999999999'])('404 for the place %s', async (lead_index) => {
    const { owner, params } = await scene()
    const at = { ...params, lead_index }
    const edited = await call(EditDatasetRow, { as: owner, params: at, body: { data: { a: 'b' } } })
    const removed = await call(RemoveDatasetRow, { as: owner, params: at })
    expect([edited.error.detail, removed.error.detail]).toEqual(['row_not_found', 'row_not_found'])
  })
})

describe('removing a row', () => {
  test('its place stays empty: pages go on over it, and no added row gets it', async () => {
    const { owner, params, add, remove, list } = await scene(5)
    expect((await remove(1)).status).toBe(204)
    expect((await remove(4)).status).toBe(204)
    expect((await remove(4)).status).toBe(404)
    await add(people(1))
    const places = async (page: number) => (await list(page, 2)).items.map(({ lead_index }) => lead_index)
    expect([await places(1), await places(2), await places(3)]).toEqual([[0, 2], [3, 5], []])
    expect((await list()).total).toBe(4)
    const { body } = await call(ExportDataset, { as: owner, params, query: {} })
    expect((await new Response(body as unknown as BodyInit).text()).trim().split('\n')).toHaveLength(5)
  })
})

describe('an export', () => {
  const linesOf = async (owner: Owner, params: { dataset_id: string }) => {
    const { body } = await call(ExportDataset, { as: owner, params, query: {} })
    return (await new Response(body as unknown as BodyInit).text()).trim().split('\r\n').slice(-2)
  }

  test('has nothing where a row has no cell, also of a column that is called as what every object has', async () => {
    const { owner, params, add } = await scene(1)
    await add([{ email: 'ada@example.com', constructor: 'Acme' }, { email: 'eve@example.com' }])
    const [ada, eve] = await linesOf(owner, params)
    expect(ada).toMatch(/^ada@example.com,.*,Acme$/)
    expect(eve).toMatch(/^eve@example.com,+$/)
  })

  test('has the further addresses of a cell with several, in a column of their own', async () => {
    const { owner, params, add } = await scene(1)
    await add([{ email: 'ada@example.com; eve@example.com' }])
    expect((await call(ReadDataset, { as: owner, params })).body.columns).toContainEqual({
      name: 'Other emails',
      key: 'other_emails',
    })
    expect((await linesOf(owner, params)).at(-1)).toMatch(/^ada@example.com,.*,eve@example.com$/)
  })
})

describe('removing several', () => {
  test('those that are there go at once, the others are ignored, and the count is right', async () => {
    const { owner, params, removeAll, list } = await scene(5)
    const { status, body } = await removeAll([4, 1, 1, 77])
    expect([status, body]).toEqual([200, { removed: [1, 4] }])
    expect((await list()).items.map(({ lead_index }) => lead_index)).toEqual([0, 2, 3])
    expect((await call(ReadDataset, { as: owner, params })).body.row_count).toBe(3)
    expect((await removeAll([1])).body).toEqual({ removed: [] })
  })

  test.each([[[]], [[-1]], [[1.5]], [Array.from({ length: 1_001 }, (_, at) => at)]])(
    '422 for %j',
    async (lead_indexes) => {
      const { removeAll, list } = await scene()
      expect((await removeAll(lead_indexes)).status).toBe(422)
      expect((await list()).total).toBe(3)
    },
  )
})

test('a search looks into every cell, and into nothing but cells', async () => {
  const { search } = await scene([
    { email: 'ada@example.com', notes: 'Said "yes" to 50% \\ 5_0', city: 'Malmö' },
    { email: 'eve@example.com', notes: 'two\nlines', city: 'MALMÖ' },
    { email: null, notes: 'Said yes to 500' },
  ])
  expect(await search('malmö')).toEqual([0, 1])
  expect(await search('said "YES"')).toEqual([0])
  expect(await search('50%')).toEqual([0])
  expect(await search('\\ 5_0')).toEqual([0])
  expect(await search('o\nl')).toEqual([1])
  expect(await search('EVE@')).toEqual([1])
  // The search matches neither column names nor the JSON syntax around cells.
  for (const word of ['notes', '": "', '\\n', '", "']) expect(await search(word), word).toEqual([])
})

test("another's dataset is 404, and stays as it is", async () => {
  const { params, list } = await scene()
  const stranger: Owner = await aUser()
  const at = { ...params, lead_index: '0' }
  const answers = [
    await call(AddDatasetRows, { as: stranger, params, body: { rows: people(1) } }),
    await call(EditDatasetRow, { as: stranger, params: at, body: { data: { a: 'b' } } }),
    await call(RemoveDatasetRow, { as: stranger, params: at }),
    await call(RemoveDatasetRows, { as: stranger, params, body: { lead_indexes: [0] } }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404])
  expect((await list()).total).toBe(3)
})
