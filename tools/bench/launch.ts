import { closeDatabase, pool } from '#lib/db/client'
import { median, printNote, RUNS, report, runWorker, timed } from './harness.ts'
import { postgresCpu } from './instance/processes.ts'
import { aCampaignOver, aDataset, anOwner } from './seed.ts'

const SMALL = 10_000
const LARGE = 100_000
const GOAL = { enrol: 1.3, launch: 1.5 }
/** How much more memory enrolling ten times as many leads may take. */
const GOAL_GROWTH_MB = 20

type Result = {
  leads: number
  check_ms: number
  enrol_ms: number
  enrol_cpu_ms: number
  activate_ms: number
  idle_mb: number
  rss_enrolled_mb: number
  rss_mb: number
}

const owner = await anOwner()
const { workspace_id } = owner
const datasets = {
  [SMALL]: await aDataset(workspace_id, SMALL),
  [LARGE]: await aDataset(workspace_id, LARGE),
}

async function launch(leads: typeof SMALL | typeof LARGE): Promise<Result> {
  const { campaign_id } = await aCampaignOver(owner, datasets[leads] ?? '', {
    daily_limit: 10_000,
    min_interval_seconds: 0,
    steps_config: [{ subject: 'Hello {{ first_name }}', message_template: 'A word about {{ company }}' }],
  })
  const result = await runWorker<Result>('workers/launch.ts', { BENCH_CAMPAIGN: campaign_id })
  if (result.leads !== leads) throw new Error(`enrolled ${result.leads} of ${leads}`)
  await pool().query('DELETE FROM campaigns WHERE campaign_id = $1', [campaign_id])
  return result
}

type Bare = { ms: number; cpu_ms: number }

/** Inserts the same rows into a table with the same columns and indexes, by one statement, and nothing else. */
async function bare(): Promise<Bare> {
  await pool().query('DROP TABLE IF EXISTS bare_leads')
  await pool().query('CREATE TABLE bare_leads (LIKE campaign_leads INCLUDING ALL)')
  const before = await postgresCpu()
  const { ms } = await timed(() =>
    pool().query(
      `INSERT INTO bare_leads (campaign_id, workspace_id, dataset_id, lead_index, email, status, next_step, next_action_at,
         next_action_type)
       SELECT dataset_id, workspace_id, dataset_id, lead_index, email, 'pending', 1, now(), 'email'
       FROM dataset_rows WHERE dataset_id = $1`,
      [datasets[LARGE]],
    ),
  )
  return { ms, cpu_ms: (await postgresCpu()) - before }
}

const small = await launch(SMALL)
const ours: Result[] = []
const limits: Bare[] = []
for (let run = 0; run < RUNS; run++) {
  await pool().query('VACUUM ANALYZE campaign_leads')
  const sides = [async () => ours.push(await launch(LARGE)), async () => limits.push(await bare())]
  for (const side of run % 2 === 0 ? sides : sides.reverse()) await side()
  const one = ours.at(-1)
  printNote(
    `check ${one?.check_ms.toFixed(0)}, enrol ${one?.enrol_ms.toFixed(0)}, activate with its forecast ${one?.activate_ms.toFixed(0)} ms; CPU of Postgres ${one?.enrol_cpu_ms} ms; bare ${limits.at(-1)?.ms.toFixed(0)} ms, CPU ${limits.at(-1)?.cpu_ms} ms`,
  )
}
const limit = median(limits.map(({ ms }) => ms))
const limitCpu = median(limits.map(({ cpu_ms }) => cpu_ms))
const cpu = median(ours.map((result) => result.enrol_cpu_ms))
const enrol = median(ours.map((result) => result.enrol_ms))
const whole = median(ours.map((result) => result.check_ms + result.enrol_ms + result.activate_ms))
report({
  what: `Enrolling ${LARGE.toLocaleString('en')} leads`,
  ours: `${Math.round(enrol)} ms`,
  against: `${Math.round(limit)} ms (bare INSERT … SELECT)`,
  ratio: (enrol / limit).toFixed(2),
  goal: `≤ ${GOAL.enrol}`,
  met: enrol / limit <= GOAL.enrol,
})
// Later runs find the people that the first one created.
const first = ours[0]?.enrol_ms ?? Number.NaN
report({
  what: 'The first of them, which also writes 100,000 people',
  ours: `${Math.round(first)} ms`,
  against: `${Math.round(limit)} ms (bare INSERT … SELECT, leads alone)`,
  ratio: (first / limit).toFixed(2),
  goal: '',
  met: null,
})
report({
  what: 'CPU of Postgres for that',
  ours: `${Math.round(cpu)} ms`,
  against: `${Math.round(limitCpu)} ms (bare INSERT … SELECT)`,
  ratio: (cpu / limitCpu).toFixed(2),
  goal: '',
  met: null,
})
report({
  what: 'The whole launch: checks, enrolment, forecast kept, active',
  ours: `${Math.round(whole)} ms`,
  against: `${Math.round(limit)} ms (bare INSERT … SELECT)`,
  ratio: (whole / limit).toFixed(2),
  goal: `≤ ${GOAL.launch}`,
  met: whole / limit <= GOAL.launch,
})
const growth = Math.max(...ours.map((result) => result.rss_enrolled_mb)) - small.rss_enrolled_mb
report({
  what: `Memory of enrolling ${LARGE.toLocaleString('en')} instead of ${SMALL.toLocaleString('en')}`,
  ours: `${growth > 0 ? '+' : ''}${growth} MB`,
  against: `${small.rss_enrolled_mb} MB`,
  ratio: ((small.rss_enrolled_mb + growth) / small.rss_enrolled_mb).toFixed(2),
  goal: `≤ +${GOAL_GROWTH_MB} MB`,
  met: growth <= GOAL_GROWTH_MB,
})
await closeDatabase()
