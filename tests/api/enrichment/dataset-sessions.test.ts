import { expect, test } from 'vitest'
import { ListDatasetRows, ListDatasets, ReadDataset } from '#lib/contracts/datasets/datasets'
import {
  CancelDatasetSession,
  ListDatasetChanges,
  ListDatasetSessions,
  ListEnrichmentProviders,
  ProcessDataset,
  ReadDatasetSession,
  UndoDatasetSession,
} from '#lib/contracts/enrichment/dataset-sessions'
import { Personalize, ReadPersonalizationRun } from '#lib/contracts/personalize/personalize'
import { db } from '#lib/db/client'
import { personalizeRound } from '#lib/services/personalize/round'
import { issueToken } from '#lib/services/workspaces/tokens'
import { call } from '#tests/support/call'
import { knock } from '#tests/support/door'
import { aDataset, anEnrolledLead, aTemplate, aUser } from '#tests/support/scenes/factories'
import { carryOut } from '#tests/support/scenes/pipeline'

type User = { user_id: string }
type Lead = { email: string | null; [field: string]: string | null }
const LEADS: Lead[] = [
  {
    email: 'info@acme.com',
    full_name: 'Dr. ADA LOVELACE',
    company: 'ACME, Inc.',
    title: 'CEO',
    country: 'Germany',
  },
  { email: 'bob@gmail.com', full_name: 'Bob', company: '', title: '', country: 'USA' },
  {
    email: 'eve@beta.org',
    full_name: 'Eve Stone',
    first_name: 'Evelyn',
    company: 'Beta AG',
    title: 'Head of Sales',
    country: '',
  },
]

const process = (as: User, dataset_id: string, body: unknown = { pipeline_type: 'enrichment' }) =>
  call(ProcessDataset, { as, params: { dataset_id }, body })
const rowsOf = async (as: User, dataset_id: string) =>
  (await call(ListDatasetRows, { as, params: { dataset_id } })).body.items
const changesOf = async (as: User, dataset_id: string, query: Record<string, string | number> = {}) =>
  (await call(ListDatasetChanges, { as, params: { dataset_id }, query: { page_size: 100, ...query } })).body

async function enriched(owner: User, leads: Parameters<typeof aDataset>[1] = LEADS, body?: unknown) {
  const { dataset_id } = await aDataset(owner, leads)
  const { body: session } = await process(owner, dataset_id, body)
  await carryOut(session.session_id)
  return {
    dataset_id,
    session_id: session.session_id,
    params: { dataset_id, session_id: session.session_id },
  }
}

test('a personalization run is a session of its dataset, whoever begins it', async () => {
  const owner = await aUser()
  const { dataset_id } = await aDataset(owner, 3)
  const { template_id } = await aTemplate(owner)
  const begun = await process(owner, dataset_id, { pipeline_type: 'personalization', template_id })
  expect([begun.status, begun.body]).toMatchObject([
    202,
    {
      work: 'personalization',
      pipeline_type: 'personalization',
      status: 'queued',
      leads_count: 3,
      processed_count: 0,
      progress_percentage: 0,
      options: { template_id },
    },
  ])
  const { session_id } = begun.body
  const run = await call(ReadPersonalizationRun, { as: owner, params: { run_id: session_id } })
  expect(run.body).toMatchObject({ dataset_id, template_id, total: 3 })

  await personalizeRound(session_id)
  const byType = async (pipeline_type: string) =>
    (await call(ListDatasets, { as: owner, query: { pipeline_type } })).body
  expect(await byType('personalization')).toMatchObject({
    total_count: 1,
    datasets: [
      {
        dataset_id,
        session_id,
        pipeline_type: 'personalization',
        status: 'completed',
        leads_count: 3,
        processed_count: 3,
        failed_count: 0,
        progress_percentage: 100,
        completed_at: expect.any(String),
      },
    ],
  })

  const asked = await call(Personalize, { as: owner, body: { dataset_id, prompt: 'Hi', lead_indexes: [1] } })
  // Beside a run that is under way the rows may be worked on; the run stays the newest of its type.
  const enriching = await process(owner, dataset_id)
  expect(enriching.status).toBe(202)
  expect((await byType('personalization')).datasets[0]).toMatchObject({
    session_id: asked.body.run_id,
    status: 'queued',
    leads_count: 1,
  })
  expect((await byType('enrichment')).datasets[0]).toMatchObject({ session_id: enriching.body.session_id })
  const sessions = await call(ListDatasetSessions, { as: owner, params: { dataset_id } })
  expect(sessions.body.items.map((one) => one.session_id)).toEqual([
    enriching.body.session_id,
    asked.body.run_id,
    session_id,
  ])
})

test('a personalization is cancelled as a session, and has nothing to be undone', async () => {
  const owner = await aUser()
  const { dataset_id } = await aDataset(owner, 2)
  const { session_id } = (
    await process(owner, dataset_id, { pipeline_type: 'personalization', prompt: 'Be brief' })
  ).body
  const params = { dataset_id, session_id }
  const cancelled = await call(CancelDatasetSession, { as: owner, params })
  expect([cancelled.status, cancelled.body.status]).toEqual([200, 'cancelled'])
  const run = await call(ReadPersonalizationRun, { as: owner, params: { run_id: session_id } })
  expect(run.body.status).toBe('cancelled')
  expect((await call(CancelDatasetSession, { as: owner, params })).status).toBe(409)
  expect((await call(UndoDatasetSession, { as: owner, params })).error.detail).toBe('invalid_state')
  await db.personalizationRun.delete({ where: { run_id: session_id } })
  expect((await call(ReadDatasetSession, { as: owner, params })).status).toBe(404)
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

test('overwrite mends filled cells, and undo puts back every one of them', async () => {
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
  const [mended] = await rowsOf(owner, before.dataset_id)
  expect(mended?.data).toMatchObject({ first_name: 'Ada', last_name: 'Lovelace', timezone: 'Europe/Berlin' })

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

test('one session at a time: 409 for a second, for cancelling what is over, and for undoing what runs', async () => {
  const owner = await aUser()
  const { dataset_id } = await aDataset(owner, LEADS)
  const both = await Promise.all([process(owner, dataset_id), process(owner, dataset_id)])
  expect(both.map(({ status }) => status).toSorted()).toEqual([202, 409])
  expect(both.find(({ status }) => status === 409)?.error.detail).toBe('dataset_busy')
  const session_id = both.find(({ status }) => status === 202)?.body.session_id ?? ''
  const params = { dataset_id, session_id }
  expect((await call(UndoDatasetSession, { as: owner, params })).error.detail).toBe('invalid_state')
  const cancelled = await call(CancelDatasetSession, { as: owner, params })
  expect(cancelled).toMatchObject({ status: 200, body: { status: 'cancelled' } })
  await carryOut(session_id)
  expect((await rowsOf(owner, dataset_id))[0]?.data).toEqual(LEADS[0])
  expect((await call(CancelDatasetSession, { as: owner, params })).error.detail).toBe('invalid_state')
  expect((await process(owner, dataset_id)).status).toBe(202)
  const { body } = await call(ListDatasetSessions, { as: owner, params: { dataset_id } })
  expect(body.items.map(({ status }) => status)).toEqual(['queued', 'cancelled'])
})

test.each([
  ['no pipeline', {}],
  ['personalization', { pipeline_type: 'personalization' }],
  ['an unknown rule', { pipeline_type: 'enrichment', options: { rules: ['magic'] } }],
  ['no rule', { pipeline_type: 'enrichment', options: { rules: [] } }],
  ['an unknown provider', { pipeline_type: 'enrichment', options: { providers: ['nobody'] } }],
  ['a negative budget', { pipeline_type: 'enrichment', options: { max_cost: -1 } }],
  ['no column', { pipeline_type: 'extraction', options: { columns: [] } }],
])('422 for %s, and nothing is queued', async (_, body) => {
  const owner = await aUser()
  const { dataset_id } = await aDataset(owner, LEADS)
  expect((await process(owner, dataset_id, body)).status).toBe(422)
  expect(await db.datasetSession.count({ where: { dataset_id } })).toBe(0)
})

test('409 where there are no rows, and nobody else has a provider', async () => {
  const owner = await aUser()
  const { dataset_id } = await aDataset(owner, 0)
  expect((await process(owner, dataset_id)).error.detail).toBe('dataset_empty')
  const { body } = await call(ListEnrichmentProviders, { as: owner, params: { dataset_id } })
  expect(body).toMatchObject({ items: [], total: 0 })
})

test('an export tells on request which session gave a cell, out of what, and how sure it was', async () => {
  const owner = await aUser()
  const { dataset_id, session_id, params } = await enriched(owner)
  const authorization = `Bearer ${await issueToken(owner.user_id, new Date())}`
  const read = async (query: string) =>
    (await knock('GET', `/datasets/${dataset_id}/export${query}`, { headers: { authorization } })).text()
  const columnsOf = (csv: string) => csv.split('\r\n')[0]?.split(',') ?? []
  expect(await read('')).not.toContain('(source)')
  const csv = await read('?sources=true')
  const [first] = columnsOf(csv).filter((name) => name.endsWith('(source)'))
  expect(first).toBeDefined()
  const [change] = (await changesOf(owner, dataset_id, { lead_index: 0 })).items
  expect(csv).toContain(
    `enrichment: ${change?.rule} from ${change?.source}, ${change?.certainty}, session ${session_id}`,
  )
  // The source stands right after its column.
  const names = columnsOf(csv)
  for (const [at, name] of names.entries())
    if (name.endsWith(' (source)')) expect(names[at - 1]).toBe(name.replace(' (source)', ''))
  await call(UndoDatasetSession, { as: owner, params })
  expect(await read('?sources=true')).not.toContain(session_id)
})
