import { expect, test } from 'vitest'
import { Personalize } from '#lib/contracts/personalize/personalize'
import { db } from '#lib/db/client'
import { listGenerations, regenerateGeneration } from '#lib/services/personalize/rows'
import { getRun, startRun } from '#lib/services/personalize/runs'
import { takeRun } from '#lib/services/personalize/state/runs'
import { claimLeads, recordLeads } from '#lib/services/personalize/state/texts'
import { workRun } from '#lib/services/personalize/work'
import { fakeWriter, honest, refusal } from '#tests/support/doubles/fake-writer'
import { aDataset, aUser } from '#tests/support/scenes/factories'

// Dollars per million tokens; an answer of the fake model is 100 tokens in and 20 out, so it costs 0.0016.
process.env.AI_PRICES = JSON.stringify({ fake: { input: 10, output: 30 } })
const ONE = 0.0016

const START = new Date('2026-03-02T10:00:00.000Z')
const FAR = new Date('2027-01-01T00:00:00.000Z')

async function aRun(leads: number, writer = fakeWriter(honest).writer, more: object = {}) {
  const owner = await aUser()
  const { dataset_id } = await aDataset(owner, leads)
  const { run_id } = await startRun(
    owner.workspace_id,
    Personalize.body.parse({ dataset_id, ...more }),
    START,
    writer,
  )
  const work = () => workRun(run_id, { writer, clock: () => START, until: FAR, concurrency: 8 })
  return { owner, run_id, work, read: () => getRun(owner.workspace_id, run_id) }
}

test('a run costs what its answers cost, usable or not, and a text written anew adds its own', async () => {
  const fake = fakeWriter((data) => (data.cells.first_name === 'Lead3' ? 'no JSON' : honest(data)))
  const { owner, run_id, work, read } = await aRun(30, fake.writer)
  expect((await read()).cost).toBe(0)
  await work()
  const run = await read()
  expect(run).toMatchObject({ generated_count: 29, failed_count: 1, unknown_calls: 0 })
  // The model's answer for the thirtieth lead was unusable, but is paid for all the same.
  expect([run.tokens_in, run.tokens_out]).toEqual([3_000, 600])
  expect(run.cost).toBeCloseTo(30 * ONE, 9)
  const rows = await db.generation.findMany({ where: { run_id } })
  expect(rows.reduce((sum, row) => sum + (row.tokens_in ?? 0), 0)).toBe(3_000)

  const [first] = rows.filter(({ lead_index }) => lead_index === 0)
  await regenerateGeneration(owner.workspace_id, first?.generation_id ?? '', START, fake.writer)
  const after = await read()
  expect([after.tokens_in, after.tokens_out]).toEqual([3_100, 620])
  expect(after.cost).toBeCloseTo(31 * ONE, 9)
})

test('what a provider did not take costs nothing', async () => {
  const { work, read } = await aRun(5, fakeWriter(() => Promise.reject(refusal(401))).writer)
  await work()
  expect(await read()).toMatchObject({ status: 'failed', cost: 0, tokens_in: 0, tokens_out: 0 })
})

test('outcomes that are written together are counted once each; one that comes too late counts for nothing', async () => {
  const { owner, run_id, read } = await aRun(4)
  const worker = { run_id, worker: 'w', lease_ms: 60_000 }
  await takeRun(worker, START)
  const leads = (await claimLeads(worker, 10, START)) ?? []
  expect(leads).toHaveLength(4)
  const text = {
    subject: 'A',
    body: 'Hi',
    claims: [],
    flags: [{ code: 'empty' as const, message: 'x' }],
    tokens: { input: 100, output: 20 },
  }
  const [one, two, three, four] = leads
  if (!one || !two || !three || !four) throw new Error('four leads')
  const group = [
    { lead: one, result: { outcome: 'written' as const, text }, at: START },
    { lead: two, result: { outcome: 'unknown' as const, error: 'cut' }, at: START },
    { lead: three, result: { outcome: 'impossible' as const, error: 'no name' }, at: START },
    { lead: four, result: { outcome: 'later' as const, error: '429', retry_after_ms: null }, at: START },
  ]
  const how = { model: 'fake', price: { input: 10, output: 30 } }
  await recordLeads(worker, group, how)
  const counted = {
    generated_count: 1,
    failed_count: 1,
    flagged_count: 1,
    unknown_calls: 1,
    tokens_in: 100,
    tokens_out: 20,
  }
  expect(await read()).toMatchObject(counted)
  expect((await read()).cost).toBeCloseTo(ONE, 9)
  const shown = (await listGenerations(owner.workspace_id, run_id, { offset: 0, limit: 10 })).generations
  expect(shown.map(({ status, calls, error }) => [status, calls, error])).toEqual([
    ['generated', 1, null],
    ['pending', 1, null],
    ['failed', 1, 'no name'],
    ['pending', 0, null],
  ])
  await recordLeads(worker, group, how)
  expect(await read()).toMatchObject(counted)
})

test.each([
  ['all leads', null, [3, 4]],
  ['some leads', [1, 4, 5, 8, 9], [8, 9]],
])('the texts of a run over %s are paged to the end', async (_, lead_indexes, page) => {
  const { owner, run_id, work } = await aRun(10, undefined, { lead_indexes })
  await work()
  const total_generations = lead_indexes?.length ?? 10
  const list = (offset: number, limit: number) =>
    listGenerations(owner.workspace_id, run_id, { offset, limit })
  const third = await list(3, 2)
  expect(third).toMatchObject({ total_generations, has_more: total_generations > 5 })
  expect(third.generations.map(({ lead_index }) => lead_index)).toEqual(page)
  expect(await list(total_generations, 5)).toMatchObject({ generations: [], has_more: false })
  const all = (await list(0, 500)).generations.map(({ lead_index }) => lead_index)
  expect(all).toEqual(lead_indexes ?? [0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
})
