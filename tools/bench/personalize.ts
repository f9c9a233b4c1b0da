import { closeDatabase, pool } from '#lib/db/client'
import { listGenerations } from '#lib/services/personalize/rows'
import { WORKER_FLAGS } from '#scripts/up/services'
import { median, oneDecimal, printNote, RUNS, report, runWorker, timed } from './harness.ts'
import { aDataset, anOwner } from './seed.ts'

const SMALL = 10_000
const LARGE = 100_000
/** How much more memory ten times as many leads may take. */
const GOAL_GROWTH_MB = 20
const GOAL_LIVE_MB = 2
/** The size of a review page, and the position of the last one. */
const PAGE = 20
const GOAL_PAGE_MS = 50

type Result = { run_id: string; ms: number; idle_mb: number; rss_mb: number; live_mb: number }

const { workspace_id } = await anOwner()
const datasets = {
  [SMALL]: await aDataset(workspace_id, SMALL),
  [LARGE]: await aDataset(workspace_id, LARGE),
}
await pool().query('VACUUM ANALYZE dataset_rows')

async function run(leads: typeof SMALL | typeof LARGE): Promise<Result> {
  const env = { BENCH_PERSONALIZE: `${datasets[leads]} ${workspace_id}` }
  const result = await runWorker<Result>('workers/personalize.ts', env, WORKER_FLAGS)
  const { rows } = await pool().query<{ written: number }>(
    `SELECT count(*)::int AS written FROM generations WHERE run_id = $1 AND status = 'generated' AND calls = 1`,
    [result.run_id],
  )
  if (rows[0]?.written !== leads) throw new Error(`wrote ${rows[0]?.written} of ${leads}`)
  printNote(
    `${leads}: ${Math.round(result.ms)} ms, ${result.rss_mb} MB (idle ${result.idle_mb}), holds ${result.live_mb} MB`,
  )
  return result
}

const small: Result[] = []
const large: Result[] = []
for (let turn = 0; turn < RUNS; turn++) {
  const sides = [async () => small.push(await run(SMALL)), async () => large.push(await run(LARGE))]
  for (const side of turn % 2 === 0 ? sides : sides.reverse()) await side()
}
const perSecond = (leads: number, results: Result[]) => leads / (median(results.map(({ ms }) => ms)) / 1_000)
const [few, many] = [perSecond(SMALL, small), perSecond(LARGE, large)]
report({
  what: `Personalizing ${LARGE.toLocaleString('en')} leads with the offline writer, texts checked and kept`,
  ours: `${Math.round(many).toLocaleString('en')} leads/s`,
  against: `${Math.round(few).toLocaleString('en')} leads/s (${SMALL.toLocaleString('en')} leads)`,
  ratio: (many / few).toFixed(2),
  goal: '≥ 0.8',
  met: many / few >= 0.8,
})
const most = (results: Result[], which: 'rss_mb' | 'live_mb') =>
  Math.max(...results.map((result) => result[which]))
const signed = (value: number) => `${value > 0 ? '+' : ''}${value}`
for (const [what, which, goal] of [
  [`Peak memory (\`node ${WORKER_FLAGS.join(' ')}\`)`, 'rss_mb', GOAL_GROWTH_MB],
  ['Memory held at the end', 'live_mb', GOAL_LIVE_MB],
] as const) {
  const growth = Number((most(large, which) - most(small, which)).toFixed(1))
  report({
    what: `${what} of personalizing ${LARGE.toLocaleString('en')} instead of ${SMALL.toLocaleString('en')}`,
    ours: `${signed(growth)} MB`,
    against: `${most(small, which)} MB`,
    ratio: (most(large, which) / most(small, which)).toFixed(2),
    goal: `≤ +${goal} MB`,
    met: growth <= goal,
  })
}

const run_id = large.at(-1)?.run_id ?? ''
const pageAt = async (offset: number) => {
  const times: number[] = []
  for (let time = 0; time < 20; time++) {
    const { ms, result } = await timed(() => listGenerations(workspace_id, run_id, { offset, limit: PAGE }))
    if (result.generations.length !== PAGE) throw new Error(`${result.generations.length} texts at ${offset}`)
    times.push(ms)
  }
  return median(times)
}
const [first, last] = [await pageAt(0), await pageAt(LARGE - PAGE)]
report({
  what: `The last page of ${LARGE.toLocaleString('en')} texts of a run, ${PAGE} each`,
  ours: `${oneDecimal(last)} ms`,
  against: `${oneDecimal(first)} ms (the first)`,
  ratio: (last / first).toFixed(2),
  goal: `≤ ${GOAL_PAGE_MS} ms`,
  met: last <= GOAL_PAGE_MS,
})
await closeDatabase()
