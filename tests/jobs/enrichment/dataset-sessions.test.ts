import { expect, test } from 'vitest'
import { EnrichmentOptions } from '#lib/contracts/enrichment/dataset-sessions'
import { db, pool } from '#lib/db/client'
import type { EnrichmentProvider } from '#lib/providers/enrichment/port'
import { sandboxEnrichment } from '#lib/providers/enrichment/sandbox'
import { failSession } from '#lib/services/datasets/session-state'
import { holding } from '#lib/services/enrichment/dataset-lock'
import { findEmails } from '#lib/services/enrichment/email-finder-sessions'
import { runRound } from '#lib/services/enrichment/round'
import { askForStaleSessions, startAfterImport, startSession } from '#lib/services/enrichment/sessions'
import { undoDatasetSession } from '#lib/services/enrichment/undo'
import { aDataset, aUser } from '#tests/support/scenes/factories'
import { carryOut, NO_FINDER } from '#tests/support/scenes/pipeline'

const ONE_BATCH = new Date(0)
const people = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    email: `p${index}@acme.com`,
    full_name: `Ada Lovelace${'x'.repeat(index % 7)}`,
  }))
const sessionOf = (session_id: string) => db.datasetSession.findUniqueOrThrow({ where: { session_id } })

async function queued(rows: Parameters<typeof aDataset>[1], options: object = {}) {
  const owner = await aUser()
  const { dataset_id } = await aDataset(owner, rows)
  // Skips the check of provider names: these tests bring their own providers.
  const wanted = {
    work: 'enrichment',
    pipeline_type: 'enrichment',
    options: EnrichmentOptions.parse(options),
  } as const
  const { session_id } = await startSession(owner.workspace_id, dataset_id, wanted)
  const data = async () =>
    (await db.datasetRow.findMany({ where: { dataset_id }, orderBy: { lead_index: 'asc' } })).map(
      (row) => row.data,
    )
  return { owner, dataset_id, session_id, data }
}

const tools = (providers: EnrichmentProvider[] = []) => ({
  clock: () => new Date(),
  providers,
  finder: NO_FINDER,
  verifiers: [],
})

type Answer = Awaited<ReturnType<EnrichmentProvider['lookup']>>
function aProvider(
  name: string,
  answer: (email: string) => Answer | Promise<Answer>,
  price_micros = 1_000_000,
) {
  const asked: string[] = []
  const provider: EnrichmentProvider = {
    name,
    description: name,
    is_sandbox: true,
    fields: ['title'],
    price_micros,
    async lookup({ email = '' }) {
      asked.push(email)
      return answer(email)
    },
  }
  return { provider, asked }
}
const found = (title: string, cost_micros = 1_000_000): Answer => ({
  outcome: 'found',
  fields: { title },
  cost_micros,
  source: 'test',
})

test('a session goes on where it was, batch by batch, and every row is done once', async () => {
  const { session_id, dataset_id, data } = await queued(people(1_201))
  expect(await runRound(session_id, ONE_BATCH, tools())).toEqual({ done: false })
  expect(await sessionOf(session_id)).toMatchObject({
    status: 'processing',
    next_index: 500,
    processed_count: 500,
  })
  await carryOut(session_id)
  expect(await sessionOf(session_id)).toMatchObject({
    status: 'completed',
    processed_count: 1_201,
    failed_count: 0,
  })
  expect((await data()).every((row) => (row as { first_name?: string }).first_name === 'Ada')).toBe(true)
  const { rows } = await pool().query(
    'SELECT count(*)::int AS changes, count(DISTINCT (lead_index, field))::int AS cells FROM dataset_cell_changes WHERE dataset_id = $1',
    [dataset_id],
  )
  expect(rows[0].changes).toBe(rows[0].cells)
  const { summary } = await sessionOf(session_id)
  expect(summary).toMatchObject({ first_name: { filled: 1_201 } })
})

test('a crash within a batch leaves the rows as they were before it, and the next try does them', async () => {
  const rows = people(30)
  let isDead = true
  const { provider, asked } = aProvider('dying', (email) => {
    if (isDead && email === 'p25@acme.com') throw new Error('the process died')
    return found(`Title of ${email}`)
  })
  const { session_id, data } = await queued(rows, { providers: ['dying'], max_cost: 100 })
  await expect(carryOut(session_id, { providers: [provider] })).rejects.toThrow('the process died')
  expect(await sessionOf(session_id)).toMatchObject({
    status: 'processing',
    next_index: 20,
    processed_count: 20,
  })
  expect((await data()).slice(20)).toEqual(rows.slice(20))

  isDead = false
  await carryOut(session_id, { providers: [provider] })
  expect(await sessionOf(session_id)).toMatchObject({ status: 'completed', processed_count: 30 })
  // No lead was looked up twice: an interrupted lookup may have been charged, and its cell stays empty.
  expect(asked.toSorted()).toEqual(rows.map(({ email }) => email).toSorted())
  const titles = (await data()).map((row) => (row as { title?: string }).title)
  expect(titles.flatMap((title, index) => (title ? [] : [index]))).toEqual([25])
  expect(Number((await sessionOf(session_id)).cost_micros)).toBe(30_000_000)
  expect((await sessionOf(session_id)).summary).toMatchObject({
    title: { filled: 29, skipped: { look_up_broke_off: 1 } },
  })
})

test('providers are asked in order, only for what is empty, and the first that knows counts', async () => {
  const first = aProvider('first', (email) =>
    email.startsWith('p0') ? found('By the first') : { outcome: 'nothing', cost_micros: 0 },
  )
  const second = aProvider('second', () => found('By the second', 250_000))
  const rows: { email: string; [field: string]: string }[] = [
    { email: 'p0@acme.com' },
    { email: 'p1@acme.com' },
    { email: 'p2@acme.com', title: 'CEO' },
  ]
  const { session_id, dataset_id, data } = await queued(rows, {
    providers: ['first', 'second'],
    max_cost: 100,
  })
  await carryOut(session_id, { providers: [second.provider, first.provider] })
  expect((await data()).map((row) => (row as { title?: string }).title)).toEqual([
    'By the first',
    'By the second',
    'CEO',
  ])
  expect(first.asked).toEqual(['p0@acme.com', 'p1@acme.com'])
  expect(second.asked).toEqual(['p1@acme.com'])
  expect(Number((await sessionOf(session_id)).cost_micros)).toBe(1_250_000)
  const change = await db.datasetCellChange.findFirstOrThrow({
    where: { dataset_id, lead_index: 1, field: 'title' },
  })
  expect(change).toMatchObject({ rule: 'provider_second', source: 'test', certainty: 'likely' })
})

test('the budget of a session holds, and what a look-up did not cost is given back', async () => {
  const { provider, asked } = aProvider('dear', () => found('T', 400_000))
  const { session_id } = await queued(people(6), { providers: ['dear'], max_cost: 2 })
  await carryOut(session_id, { providers: [provider] })
  // Each lookup reserves 1 and costs 0.4: the fourth would need 2.2 when it is started.
  expect(asked).toHaveLength(3)
  const { cost_micros, summary } = await sessionOf(session_id)
  expect(Number(cost_micros)).toBe(1_200_000)
  expect(summary).toMatchObject({ title: { filled: 3, skipped: { budget_spent: 3 } } })
})

test('without a budget nothing that costs is asked', async () => {
  const { provider, asked } = aProvider('dear', () => found('T'))
  const { session_id } = await queued(people(2), { providers: ['dear'] })
  await carryOut(session_id, { providers: [provider] })
  expect(asked).toEqual([])
})

test('a provider that fails is counted, and the session goes on', async () => {
  const { provider } = aProvider('ill', () => ({
    outcome: 'failed',
    error: 'It answered 500.',
    is_paid: false,
  }))
  const { session_id } = await queued(people(3), { providers: ['ill'], max_cost: 9 })
  await carryOut(session_id, { providers: [provider] })
  expect(await sessionOf(session_id)).toMatchObject({ status: 'completed', failed_count: 3, cost_micros: 0n })
})

test('the sandbox answers for nobody real, and says that it is made up', async () => {
  const { session_id, data } = await queued([{ email: 'ada@example.com' }, { email: 'ada@acme.com' }], {
    providers: ['sandbox'],
    max_cost: 1,
  })
  await carryOut(session_id, { providers: [sandboxEnrichment] })
  const [made, real] = (await data()) as Record<string, string>[]
  expect(made?.title).toContain('made up')
  expect(real?.title).toBeUndefined()
})

test('while somebody holds the rows nobody else touches them', async () => {
  const { session_id, dataset_id, owner } = await queued(people(3))
  await holding(dataset_id, async () => {
    expect(await runRound(session_id, ONE_BATCH, tools())).toEqual({ done: true })
    expect((await sessionOf(session_id)).status).toBe('queued')
  })
  await Promise.all([carryOut(session_id), carryOut(session_id), carryOut(session_id)])
  await carryOut(session_id)
  expect(await sessionOf(session_id)).toMatchObject({ status: 'completed', processed_count: 3 })
  await holding(dataset_id, async () => {
    await expect(undoDatasetSession(owner.workspace_id, dataset_id, session_id, new Date())).rejects.toThrow(
      /session is running/,
    )
  })
})

test('a cancelled session writes no further row, and its rows are undone', async () => {
  const rows = people(700)
  const { session_id, dataset_id, owner, data } = await queued(rows)
  await runRound(session_id, ONE_BATCH, tools())
  await db.datasetSession.update({ where: { session_id }, data: { status: 'cancelled' } })
  await carryOut(session_id)
  expect((await data()).slice(500)).toEqual(rows.slice(500))
  expect((await data())[0]).not.toEqual(rows[0])
  const { restored, kept } = await undoDatasetSession(owner.workspace_id, dataset_id, session_id, new Date())
  expect([restored > 500, kept]).toEqual([true, 0])
  expect(await data()).toEqual(rows)
})

test('a session that stands still is asked for again, and one that gave up says why', async () => {
  // Sessions that other tests left may be older.
  await db.datasetSession.updateMany({ data: { status: 'cancelled' } })
  const { session_id } = await queued(people(1))
  const later = (minutes: number) => new Date(Date.now() + minutes * 60_000)
  expect(await askForStaleSessions(later(1))).toBe(0)
  expect(await askForStaleSessions(later(3))).toBeGreaterThan(0)
  await failSession(session_id, 'It broke.', new Date())
  expect(await sessionOf(session_id)).toMatchObject({ status: 'failed', error: 'It broke.' })
  await carryOut(session_id)
  expect((await sessionOf(session_id)).processed_count).toBe(0)
})

test('after a crash the email finder asks nobody again about rows that it knows already', async () => {
  const owner = await aUser()
  const { dataset_id } = await aDataset(owner, [
    { email: null, full_name: 'Ada Lovelace', website: 'acme.com' },
    { email: null, full_name: 'Eve Stone', website: 'acme.com' },
  ])
  const { session_id } = await findEmails(owner.workspace_id, {
    dataset_id,
    min_confidence: 1,
    overwrite: false,
  })
  const asked: string[] = []
  let isDead = true
  const mx = async (name: string) => {
    asked.push(name)
    if (isDead && asked.length === 2) throw new Error('the process died')
    return { outcome: 'found' as const, records: [{ priority: 1, exchange: 'mx.acme.com' }] }
  }
  const finder = { ...NO_FINDER, dns: { ...NO_FINDER.dns, mx } }
  await expect(carryOut(session_id, { finder })).rejects.toThrow('the process died')
  isDead = false
  await carryOut(session_id, { finder })
  expect(asked).toHaveLength(3)
  expect(await db.datasetRow.count({ where: { dataset_id, email: { not: null } } })).toBe(2)
})

test.each([
  ['enrichment', 'enrichment'],
  ['extraction', 'extraction'],
  ['personalization', null],
  [null, null],
] as const)(
  'an upload meant for %s goes on with %s once its rows are in, and once only',
  async (pipeline_type, work) => {
    const owner = await aUser()
    const { dataset_id } = await aDataset(owner, people(2))
    const data = {
      workspace_id: owner.workspace_id,
      dataset_id,
      pipeline_type,
      work: 'import',
      leads_count: 2,
    } as const
    const { session_id } = await db.datasetSession.create({ data })
    expect(await startAfterImport(dataset_id, session_id, new Date())).toBeNull()
    await db.datasetSession.update({ where: { session_id }, data: { status: 'completed' } })
    const started = await startAfterImport(dataset_id, session_id, new Date())
    expect(started === null ? null : (await sessionOf(started)).work).toBe(work)
    expect(await startAfterImport(dataset_id, session_id, new Date())).toBeNull()
  },
)
