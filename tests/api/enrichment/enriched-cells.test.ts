import { expect, test } from 'vitest'
import { ReadDataset } from '#lib/contracts/datasets/datasets'
import { ReadDatasetSession, UndoDatasetSession } from '#lib/contracts/enrichment/dataset-sessions'
import { db } from '#lib/db/client'
import { call } from '#tests/support/call'
import { changesOf, enriched, LEADS, type Lead, process, rowsOf } from '#tests/support/scenes/enriched'
import { aDataset, anEnrolledLead, aUser } from '#tests/support/scenes/factories'
import { carryOut } from '#tests/support/scenes/pipeline'

/** Different addresses, so that no lead counts as a duplicate. */
const withNumber = (lead: Lead | undefined, number: number): Lead => ({
  ...lead,
  email: `ada${number}@acme.com`,
})

test('202 queues; then empty cells are filled, filled ones are as they were, and the columns have grown', async () => {
  const owner = await aUser()
  const { dataset_id } = await aDataset(owner, LEADS)
  const queued = await process(owner, dataset_id)
  expect(queued.status).toBe(202)
  expect(queued.body).toMatchObject({
    work: 'enrichment',
    status: 'queued',
    leads_count: 3,
    processed_count: 0,
  })
  await carryOut(queued.body.session_id)

  const [ada, bob, eve] = await rowsOf(owner, dataset_id)
  expect(ada?.data).toMatchObject({
    full_name: 'Dr. ADA LOVELACE',
    first_name: 'Ada',
    last_name: 'Lovelace',
    name_prefix: 'Dr.',
    company: 'ACME, Inc.',
    company_name: 'Acme',
    company_legal_form: 'Inc.',
    seniority: 'c_level',
    domain: 'acme.com',
    timezone: 'Europe/Berlin',
    email_quality: 'role',
  })
  expect(bob?.data).toEqual({ ...LEADS[1], email_quality: 'free_mail' })
  expect(eve?.data).toMatchObject({ first_name: 'Evelyn', last_name: 'Stone', department: 'sales' })
  const { body } = await call(ReadDataset, { as: owner, params: { dataset_id } })
  expect(body).toMatchObject({
    status: 'completed',
    work: 'enrichment',
    processed_count: 3,
    progress_percentage: 100,
  })
  const keys = body.columns.map(({ key }) => key)
  expect(keys).toEqual([...new Set(keys)])
  expect(keys.slice(0, 5)).toEqual(['email', 'full_name', 'company', 'title', 'country'])
  expect(keys).toEqual(expect.arrayContaining(['first_name', 'timezone', 'email_quality']))
})

test('every cell says where it came from, and every column what was filled and what not', async () => {
  const owner = await aUser()
  const { dataset_id, session_id, params } = await enriched(owner)
  const { items } = await changesOf(owner, dataset_id, { lead_index: 0, field: 'first_name' })
  expect(items).toMatchObject([
    {
      session_id,
      field: 'first_name',
      old_value: null,
      new_value: 'Ada',
      rule: 'names',
      source: 'full_name',
      certainty: 'certain',
    },
  ])
  const { body } = await call(ReadDatasetSession, { as: owner, params })
  const field = (name: string) => body.fields.find((one) => one.field === name)
  expect(field('first_name')).toEqual({
    field: 'first_name',
    filled: 1,
    skipped: expect.arrayContaining([
      { reason: 'only_one_word', count: 1 },
      { reason: 'already_filled', count: 1 },
    ]),
  })
  expect(field('timezone')).toMatchObject({ filled: 1 })
  const total = (await changesOf(owner, dataset_id, { session_id })).total
  expect(body.fields.reduce((sum, one) => sum + one.filled, 0)).toBe(total)
})

test('overwrite fixes filled cells, and undo puts back every one of them', async () => {
  const owner = await aUser()
  const lead = {
    email: 'ada@acme.com',
    first_name: 'ADA',
    last_name: 'LOVELACE',
    timezone: 'UTC',
    country: 'Germany',
  }
  const before = await aDataset(owner, [lead])
  const whole = { pipeline_type: 'enrichment', options: { overwrite: true } }
  const { body: session } = await process(owner, before.dataset_id, whole)
  await carryOut(session.session_id)
  const [fixed] = await rowsOf(owner, before.dataset_id)
  expect(fixed?.data).toMatchObject({ first_name: 'Ada', last_name: 'Lovelace', timezone: 'Europe/Berlin' })

  const params = { dataset_id: before.dataset_id, session_id: session.session_id }
  const undone = await call(UndoDatasetSession, { as: owner, params })
  expect(undone.status).toBe(200)
  expect(undone.body).toMatchObject({ kept: 0, session: { undone_at: expect.any(String) } })
  expect(undone.body.restored).toBe((await changesOf(owner, before.dataset_id)).total)
  const [restored] = await rowsOf(owner, before.dataset_id)
  expect(restored?.data).toEqual(lead)
  expect((await call(UndoDatasetSession, { as: owner, params })).body.restored).toBe(0)
})

test('undo keeps cells that were changed since, and lists them', async () => {
  const owner = await aUser()
  const { dataset_id, params } = await enriched(owner)
  const where = { dataset_id_lead_index: { dataset_id, lead_index: 0 } }
  const { data } = await db.datasetRow.findUniqueOrThrow({ where })
  await db.datasetRow.update({ where, data: { data: { ...(data as object), first_name: 'Augusta' } } })
  const { body } = await call(UndoDatasetSession, { as: owner, params })
  expect(body.kept).toBe(1)
  const [ada] = await rowsOf(owner, dataset_id)
  expect(ada?.data).toEqual({ ...LEADS[0], first_name: 'Augusta' })
  expect((await changesOf(owner, dataset_id, { kept: 'true' })).items).toMatchObject([
    { field: 'first_name', lead_index: 0, kept_reason: 'changed_since', undone_at: null },
  ])
})

test('undo passes over removed rows, however many stand before the others', async () => {
  const owner = await aUser()
  const { dataset_id, session_id, params } = await enriched(owner, [LEADS[0], LEADS[0]].map(withNumber))
  const far = { lead_index: 5_000 }
  await db.datasetRow.updateMany({ where: { dataset_id, lead_index: 1 }, data: far })
  await db.datasetCellChange.updateMany({ where: { session_id, lead_index: 1 }, data: far })
  await db.datasetRow.deleteMany({ where: { dataset_id, lead_index: 0 } })
  const { body } = await call(UndoDatasetSession, { as: owner, params })
  expect(body.restored).toBeGreaterThan(1)
  expect((await rowsOf(owner, dataset_id)).map(({ data }) => data)).toEqual([withNumber(LEADS[0], 1)])
  const { items } = await changesOf(owner, dataset_id, { kept: 'true' })
  expect(new Set(items.map(({ kept_reason }) => kept_reason))).toEqual(new Set(['row_removed']))
})

test('undo gives no address back that another row got since', async () => {
  const owner = await aUser()
  const { dataset_id, session_id, params } = await enriched(owner, [withNumber(LEADS[0], 1)])
  const { workspace_id } = owner
  const [old_value, new_value] = ['ada@old.example', 'ada1@acme.com']
  const change = { dataset_id, session_id, workspace_id, lead_index: 0, field: 'email', old_value, new_value }
  await db.datasetCellChange.create({ data: { ...change, rule: 'finder', source: 'x', certainty: 'likely' } })
  const added = { dataset_id, workspace_id, lead_index: 1, email: old_value, data: { email: old_value } }
  await db.datasetRow.create({ data: added })
  expect((await call(UndoDatasetSession, { as: owner, params })).body.kept).toBe(1)
  const { items } = await changesOf(owner, dataset_id, { kept: 'true' })
  expect(items).toMatchObject([{ field: 'email', kept_reason: 'address_taken' }])
  expect((await rowsOf(owner, dataset_id)).map(({ email }) => email)).toEqual([new_value, old_value])
  // Once the address is free again, a second undo restores it.
  await db.datasetRow.delete({ where: { dataset_id_lead_index: { dataset_id, lead_index: 1 } } })
  expect((await call(UndoDatasetSession, { as: owner, params })).body).toMatchObject({ restored: 1, kept: 0 })
})

test('extraction reads free text, and never gives one address to two rows', async () => {
  const owner = await aUser()
  const leads: Lead[] = [
    { email: null, notes: 'Ada Lovelace <ada@acme.com>, +49 30 901820, linkedin.com/in/ada' },
    { email: null, notes: 'ask ada at acme dot com' },
    { email: null, notes: 'ask ada@acme.com or bob@acme.com' },
    { email: 'eve@acme.com', notes: 'eve2@acme.com' },
  ]
  const { dataset_id, params } = await enriched(owner, leads, { pipeline_type: 'extraction' })
  const rows = await rowsOf(owner, dataset_id)
  expect(rows.map(({ email }) => email)).toEqual(['ada@acme.com', null, 'bob@acme.com', 'eve@acme.com'])
  expect(rows[0]?.data).toMatchObject({
    email: 'ada@acme.com',
    phone: '+4930901820',
    linkedin_url: 'https://www.linkedin.com/in/ada',
    first_name: 'Ada',
  })
  expect(rows[3]?.data).toMatchObject({ email: 'eve@acme.com', other_emails: 'eve2@acme.com' })
  const { body } = await call(ReadDatasetSession, { as: owner, params })
  expect(body.fields.find(({ field }) => field === 'email')).toEqual({
    field: 'email',
    filled: 2,
    skipped: expect.arrayContaining([{ reason: 'address_taken', count: 1 }]),
  })
  await call(UndoDatasetSession, { as: owner, params })
  expect((await rowsOf(owner, dataset_id)).map(({ email, data }) => ({ email, data }))).toEqual(
    leads.map(({ email, notes }) => ({ email, data: { notes, ...(email && { email }) } })),
  )
})

test('addresses that stand elsewhere are said to', async () => {
  const owner = await aUser()
  await aDataset(owner, [{ email: 'x@acme.com' }, { email: 'ada@acme.com' }])
  await aDataset(await aUser(), [{ email: 'bob@acme.com' }])
  const { dataset_id } = await enriched(owner, [
    { email: 'ada@acme.com' },
    { email: 'bob@acme.com' },
    { email: 'ada@acme.com' },
  ])
  const rows = await rowsOf(owner, dataset_id)
  expect(rows.map(({ data }) => data.email_quality)).toEqual(['duplicate', 'good', 'duplicate'])
  expect(rows[0]?.data.email_repeated_in).toMatch(/^row 3; row 2 of Dataset \d+$/)
})

test('a lead of a running campaign keeps its address and what its messages say; its empty cells are filled', async () => {
  const owner = await aUser()
  const lead = await anEnrolledLead(owner)
  const where = { dataset_id_lead_index: { dataset_id: lead.dataset_id, lead_index: 0 } }
  const data = { email: 'lead@acme.com', first_name: 'ADA', country: 'Germany' }
  await db.datasetRow.update({ where, data: { email: 'lead@acme.com', data } })
  const { body: session } = await process(owner, lead.dataset_id, {
    pipeline_type: 'enrichment',
    options: { overwrite: true },
  })
  await carryOut(session.session_id)
  const [row] = await rowsOf(owner, lead.dataset_id)
  expect(row?.data).toMatchObject({ ...data, timezone: 'Europe/Berlin', domain: 'acme.com' })
  const params = { dataset_id: lead.dataset_id, session_id: session.session_id }
  const { body } = await call(UndoDatasetSession, { as: owner, params })
  expect(body.kept).toBeGreaterThan(1)
  expect((await changesOf(owner, lead.dataset_id, { kept: 'true', lead_index: 0 })).items[0]).toMatchObject({
    kept_reason: 'in_campaign',
  })

  await db.campaignLead.updateMany({
    where: { campaign_id: lead.campaign_id },
    data: { status: 'completed', next_step: null, next_action_at: null, next_action_type: null },
  })
  expect((await call(UndoDatasetSession, { as: owner, params })).body).toMatchObject({ kept: 0 })
  expect((await rowsOf(owner, lead.dataset_id))[0]?.data).toEqual(data)
})
