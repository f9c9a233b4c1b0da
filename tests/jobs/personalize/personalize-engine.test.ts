import { afterAll, beforeAll, expect, test } from 'vitest'
import { personalizeLeads } from '#inngest/functions/personalize-leads'
import { Personalize } from '#lib/contracts/personalize/personalize'
import { db } from '#lib/db/client'
import type { RunningEngine } from '#lib/engine/engine'
import { PersonalizeRequested } from '#lib/events/catalog'
import { inngest } from '#lib/events/client'
import { askForStaleRuns, getRun, startRun } from '#lib/services/personalize/runs'
import { takeRun } from '#lib/services/personalize/state/runs'
import { claimLeads } from '#lib/services/personalize/state/texts'
import { type App, endOf, startApp, startTestEngine, until } from '#tests/support/engine'
import { aDataset, aUser } from '#tests/support/scenes/factories'

const LIMIT_MS = 120_000
const HOUR_MS = 3_600_000

let app: App
let engine: RunningEngine
let crashed: Awaited<ReturnType<typeof aRun>>

async function aRun(count: number) {
  const owner = await aUser()
  const { dataset_id } = await aDataset(owner, count)
  const { run_id } = await startRun(owner.workspace_id, Personalize.body.parse({ dataset_id }), new Date())
  const read = () => getRun(owner.workspace_id, run_id)
  const rows = () => db.generation.findMany({ where: { run_id }, orderBy: { lead_index: 'asc' } })
  return { workspace_id: owner.workspace_id, run_id, read, rows }
}

beforeAll(async () => {
  // Before there is an engine: the run's event is lost, and its worker dies over the first leads.
  crashed = await aRun(30)
  const then = new Date(Date.now() - HOUR_MS)
  const worker = { run_id: crashed.run_id, worker: crypto.randomUUID(), lease_ms: 60_000 }
  await takeRun(worker, then)
  await claimLeads(worker, 4, then)
  await db.$executeRaw`UPDATE personalization_runs SET updated_at = ${then} WHERE run_id = ${crashed.run_id}::uuid`
  app = await startApp(inngest, () => [personalizeLeads])
  engine = await startTestEngine(app.url)
}, LIMIT_MS)
afterAll(async () => {
  await engine.stop()
  await app.close()
})

test(
  'a run that is asked for is written by the function, and asked for twice it is written once',
  async () => {
    const { workspace_id, run_id, read, rows } = await aRun(25)
    await until(async () => (await read()).status === 'completed', 'the run to end', LIMIT_MS)
    const before = await rows()
    expect(before.map(({ status, calls }) => [status, calls])).toEqual(
      Array.from({ length: 25 }, () => ['generated', 1]),
    )
    const { ids } = await inngest.send(PersonalizeRequested.create({ workspace_id, run_id }))
    const [again] = await endOf(ids[0] ?? '', 1, LIMIT_MS)
    expect(again).toMatchObject({ status: 'Completed', output: { outcome: 'done' } })
    expect(await rows()).toEqual(before)
  },
  LIMIT_MS * 3,
)

test(
  'a run whose event was lost and whose worker died is revived, and only what was under way is called again',
  async () => {
    expect((await crashed.read()).status).toBe('running')
    await until(
      async () => {
        // The chores ask for it once it seems lost.
        await askForStaleRuns(new Date())
        return (await crashed.read()).status === 'completed'
      },
      'the crashed run to be revived',
      LIMIT_MS,
    )
    const rows = await crashed.rows()
    expect(rows.map(({ status }) => status)).toEqual(Array.from({ length: 30 }, () => 'generated'))
    expect(rows.map(({ calls }) => calls)).toEqual([2, 2, 2, 2, ...Array.from({ length: 26 }, () => 1)])
  },
  LIMIT_MS * 3,
)
