import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { AddDatasetRows } from '#lib/contracts/datasets/dataset-rows'
import { CompareTable, SyncTable, type TableChanges } from '#lib/contracts/datasets/table-sync'
import { db } from '#lib/db/client'
import { call } from '#tests/support/call'
import { aCampaign, aDataset, aUser } from '#tests/support/scenes/factories'
import { anUpload, put } from '#tests/support/scenes/uploads'

type User = Awaited<ReturnType<typeof aUser>>

let owner: User
beforeEach(async () => {
  owner = await aUser()
})
afterEach(async () => {
  await db.campaign.deleteMany()
})

const ADA = { email: 'ada@example.com', first_name: 'Ada', city: 'Oslo' }
const BOB = { email: 'bob@example.com', first_name: 'Bob' }
const EVE = { email: 'eve@example.com', first_name: 'Eve' }

async function uploaded(text: string, as = owner) {
  const bytes = new TextEncoder().encode(text)
  const upload = await anUpload(as, bytes.length)
  expect((await put(upload, bytes)).status).toBeLessThan(300)
  return upload.upload_id
}
const known = async (rows: Parameters<typeof aDataset>[1] = [ADA, BOB, EVE]) =>
  (await aDataset(owner, rows)).dataset_id
type OfUpload = { upload_id: string }
const compare = (dataset_id: string, { upload_id }: OfUpload, as = owner) =>
  call(CompareTable, { as, params: { dataset_id, upload_id }, body: {} })
const sync = (dataset_id: string, { upload_id, ...body }: OfUpload & Record<string, unknown>) =>
  call(SyncTable, { as: owner, params: { dataset_id, upload_id }, body })
const rowsOf = async (dataset_id: string) =>
  (await db.datasetRow.findMany({ where: { dataset_id }, orderBy: { lead_index: 'asc' } })).map(
    ({ lead_index, data }) => [lead_index, data],
  )
const countsOf = ({ added, changed, gone, unchanged, repeated }: TableChanges) => [
  added.count,
  changed.count,
  gone.count,
  unchanged,
  repeated,
]

const TABLE =
  'email,first_name,city,Score\nADA@example.com,Ada,Bergen,\nbob@example.com,Bob,,7\nnew@example.com,New,,\nbroken,X,,\n'

describe('a comparison', () => {
  test('says what is new, what changes, what is gone and what is refused, and stores nothing', async () => {
    const dataset_id = await known()
    const before = await rowsOf(dataset_id)
    const { status, body } = await compare(dataset_id, { upload_id: await uploaded(TABLE) })
    expect([status, countsOf(body)]).toEqual([200, [1, 2, 1, 0, 0]])
    expect(body.added.samples).toEqual([{ data: { email: 'new@example.com', first_name: 'New' } }])
    expect(body.changed).toMatchObject({
      cells: 2,
      samples: [
        { lead_index: 0, email: ADA.email, before: { city: 'Oslo' }, after: { city: 'Bergen' } },
        { lead_index: 1, email: BOB.email, before: {}, after: { score: '7' } },
      ],
    })
    expect(body.gone).toEqual({
      count: 1,
      waiting_leads: 0,
      samples: [{ lead_index: 2, email: EVE.email, waiting_leads: 0 }],
    })
    expect(body.refused).toMatchObject([
      { code: 'invalid_email', count: 1, samples: [{ row_number: 5, cell: 'A5' }] },
    ])
    expect(await rowsOf(dataset_id)).toEqual(before)
  })

  test('finds nothing in an export of a dataset that was enriched', async () => {
    const dataset_id = await known([
      { ...ADA, company: 'Acme Ltd', company_name: 'Acme', company_legal_form: 'Ltd' },
    ])
    const columns = Object.entries({
      email: 'Email',
      first_name: 'First name',
      city: 'City',
      company: 'Company name',
      company_name: 'Company name',
      company_legal_form: 'Legal form',
    }).map(([key, name]) => ({ key, name }))
    await db.dataset.update({ where: { dataset_id }, data: { columns } })
    const head = columns.map(({ name }) => name).join(',')
    const same = `${head}\nada@example.com,Ada,Oslo,Acme Ltd,Acme,Ltd\n`
    const { body } = await compare(dataset_id, { upload_id: await uploaded(same) })
    expect(countsOf(body)).toEqual([0, 0, 0, 1, 0])
  })

  test('finds nothing in the table that the dataset is', async () => {
    const dataset_id = await known()
    const same =
      'email,first_name,city\nada@example.com,Ada,Oslo\nbob@example.com,Bob,\neve@example.com,Eve,\n'
    const { body } = await compare(dataset_id, { upload_id: await uploaded(same) })
    expect(countsOf(body)).toEqual([0, 0, 0, 3, 0])
  })

  test('knows rows without an address by their profile, and without one by their cells', async () => {
    const dataset_id = await known([
      ADA,
      { email: null, linkedin_url: 'https://www.linkedin.com/in/bo/', city: 'Oslo' },
      { email: null, first_name: 'Cy' },
    ])
    const text =
      'email,linkedin_url,city,first_name\nada@example.com,,,\n,linkedin.com/in/bo,Rome,\n,linkedin.com/in/Bo?x=1,Rome,\n,,,Cy\n'
    const { body } = await compare(dataset_id, { upload_id: await uploaded(text) })
    expect(countsOf(body)).toEqual([0, 1, 0, 2, 1])
  })

  test('a row that is refused for another cell than its address is not gone', async () => {
    const dataset_id = await known([
      ADA,
      BOB,
      { email: null, linkedin_url: 'https://www.linkedin.com/in/bo/' },
    ])
    const long = 'x'.repeat(32_768)
    const text = `email,linkedin_url,note\nAda <ADA@example.com>,,${long}\n,linkedin.com/in/Bo,${long}\nbob@,,\n`
    const { body } = await compare(dataset_id, { upload_id: await uploaded(text) })
    expect(body.gone).toMatchObject({ count: 1, samples: [{ lead_index: 1 }] })
  })

  test('404 for what belongs to others, 409 for a file that is not there yet', async () => {
    const dataset_id = await known()
    const stranger = await aUser()
    const upload_id = await uploaded(TABLE)
    const foreign = await compare(dataset_id, { upload_id: await uploaded(TABLE, stranger) }, stranger)
    expect([foreign.status, foreign.error.detail]).toEqual([404, 'dataset_not_found'])
    const other = (await aDataset(stranger)).dataset_id
    const file = await compare(other, { upload_id }, stranger)
    expect([file.status, file.error.detail]).toEqual([404, 'upload_not_found'])
    const early = await compare(dataset_id, { upload_id: (await anUpload(owner)).upload_id })
    expect([early.status, early.error.detail]).toEqual([409, 'upload_missing'])
  })
})

describe('a sync', () => {
  const compared = async (dataset_id: string, text = TABLE) => {
    const upload_id = await uploaded(text)
    const { body } = await compare(dataset_id, { upload_id })
    return { upload_id, digest: body.digest }
  }

  test('adds and changes, and removes nothing unless it is told to', async () => {
    const dataset_id = await known()
    const { status, body } = await sync(dataset_id, await compared(dataset_id))
    expect([status, body]).toEqual([200, { added: 1, updated: 2, removed: 0, leads_ended: 0 }])
    expect(await rowsOf(dataset_id)).toEqual([
      [0, { ...ADA, city: 'Bergen' }],
      [1, { ...BOB, score: '7' }],
      [2, EVE],
      [3, { email: 'new@example.com', first_name: 'New' }],
    ])
    const dataset = await db.dataset.findUniqueOrThrow({ where: { dataset_id } })
    expect(dataset.row_count).toBe(4)
    expect(dataset.columns).toContainEqual({ name: 'Score', key: 'score' })
    const again = await compare(dataset_id, { upload_id: await uploaded(TABLE) })
    expect(countsOf(again.body)).toEqual([0, 0, 1, 3, 0])
  })

  test('only the kinds that are asked for', async () => {
    const dataset_id = await known()
    const asked = { ...(await compared(dataset_id)), add: false, update: false, remove: true }
    expect((await sync(dataset_id, asked)).body).toEqual({ added: 0, updated: 0, removed: 1, leads_ended: 0 })
    expect(await rowsOf(dataset_id)).toEqual([
      [0, ADA],
      [1, BOB],
    ])
  })

  test('says whose leads wait before it removes their rows, and ends them then', async () => {
    const dataset_id = await known()
    const { campaign_id } = await aCampaign(owner, { dataset_id })
    await db.campaign.update({ where: { campaign_id }, data: { status: 'active' } })
    const { workspace_id } = owner
    const lead = { campaign_id, workspace_id, dataset_id, lead_index: 2, email: EVE.email }
    await db.campaignLead.create({ data: { ...lead, status: 'pending' } })
    const upload_id = await uploaded(TABLE)
    const { body } = await compare(dataset_id, { upload_id })
    expect(body.gone).toMatchObject({ waiting_leads: 1, samples: [{ lead_index: 2, waiting_leads: 1 }] })
    const done = await sync(dataset_id, { upload_id, digest: body.digest, remove: true })
    expect(done.body).toMatchObject({ removed: 1, leads_ended: 1 })
    expect(await db.campaignLead.findFirst({ where: { campaign_id, lead_index: 2 } })).toMatchObject({
      status: 'skipped',
      reason: 'row_removed',
    })
  })

  test('409 when the dataset changed since, and then nothing is written', async () => {
    const dataset_id = await known()
    const asked = await compared(dataset_id)
    const body = { rows: [{ email: 'late@example.com' }] }
    await call(AddDatasetRows, { as: owner, params: { dataset_id }, body })
    const before = await rowsOf(dataset_id)
    const { status, error } = await sync(dataset_id, asked)
    expect([status, error.detail]).toEqual([409, 'conflict'])
    expect(await rowsOf(dataset_id)).toEqual(before)
  })
})
