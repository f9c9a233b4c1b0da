import autocannon from 'autocannon'
import { closeDatabase, pool } from '#lib/db/client'
import { createApiKey } from '#lib/services/workspaces/api-keys'
import type { ListName } from './bare/list-queries.ts'
import { median, printNote, quantile, RUNS, report, startServer } from './harness.ts'
import { startWeb } from './instance/web.ts'
import { aDataset, anOwner } from './seed.ts'

const SIZES = (process.env.BENCH_SIZES ?? '100000,1000000').split(',').map(Number)
const GOAL = { p50_ms: 10, bare: 5, p99_ms: 25, growth: 1.5 }

type Target = { name: ListName; size: number; label: string; ours: string; bare: string; key: string }

/** As many campaigns, dataset rows and enrolled leads as `size`, all of one owner, and an API key of theirs. */
async function grow(size: number): Promise<Target[]> {
  printNote(`writing ${size.toLocaleString('en')} campaigns, rows and leads`)
  const owner = await anOwner()
  const { workspace_id } = owner
  const dataset_id = await aDataset(workspace_id, size)
  await pool().query(
    `INSERT INTO campaigns (workspace_id, user_id, dataset_id, name, send_days, created_at, updated_at)
     SELECT $1, (SELECT user_id FROM members WHERE workspace_id = $1), $2, 'Campaign ' || n, '{mon,tue,wed,thu,fri}', now() - n * interval '1 second', now()
     FROM generate_series(1, $3) n`,
    [workspace_id, dataset_id, size],
  )
  const { rows } = await pool().query<{ campaign_id: string }>(
    'SELECT campaign_id FROM campaigns WHERE workspace_id = $1 LIMIT 1',
    [workspace_id],
  )
  const campaign_id = rows[0]?.campaign_id ?? ''
  await pool().query(
    `INSERT INTO campaign_leads (campaign_id, workspace_id, dataset_id, lead_index, email, status, next_action_at, next_action_type)
     SELECT $1, workspace_id, dataset_id, lead_index, email, 'pending', now(), 'email' FROM dataset_rows WHERE dataset_id = $2`,
    [campaign_id, dataset_id],
  )
  const { key } = await createApiKey(owner, { name: 'Bench', scopes: ['read'] }, new Date())
  const deep = Math.floor(size / 20 / 2)
  const target = (name: ListName, label: string, ours: string, bare: string) => ({
    name,
    size,
    label,
    ours,
    bare,
    key,
  })
  return [
    target('campaigns', 'campaigns', '/campaigns/', '/campaigns'),
    target('rows', 'dataset rows', `/datasets/${dataset_id}/rows`, `/rows/${dataset_id}`),
    target(
      'rows',
      'dataset rows, middle',
      `/datasets/${dataset_id}/rows?page=${deep}`,
      `/rows/${dataset_id}?page=${deep}`,
    ),
    target('leads', 'campaign leads', `/campaigns/${campaign_id}/leads`, `/leads/${campaign_id}`),
    target(
      'leads',
      'campaign leads, middle',
      `/campaigns/${campaign_id}/leads?page=${deep}`,
      `/leads/${campaign_id}?page=${deep}`,
    ),
  ]
}

/** Milliseconds of each of `amount` requests over this many connections. Any status but 200 is an error of the benchmark. */
function load(url: string, key: string, connections: number, amount: number): Promise<number[]> {
  const headers = { authorization: `Bearer ${key}` }
  return new Promise((resolve, reject) => {
    const times: number[] = []
    const run = autocannon({ url, headers, connections, amount }, (error) =>
      error ? reject(error) : resolve(times),
    )
    run.on('response', (_client, status, _bytes, ms) => {
      if (status === 200) times.push(ms)
      else reject(new Error(`${url} answered ${status}`))
    })
  })
}

type Measured = { p50: number; p99: number }

/** Warm: an instance with 100,000 rows has served thousands of requests, and the first ones include compilation. */
async function measure(url: string, key: string): Promise<Measured> {
  await load(url, key, 8, 2_000)
  const alone = await load(url, key, 1, 300)
  const together = await load(url, key, 8, 1_600)
  return { p50: quantile(alone, 0.5), p99: quantile(together, 0.99) }
}

const targets: Target[] = []
for (const size of SIZES) targets.push(...(await grow(size)))
await pool().query('VACUUM (ANALYZE)')
// Writes recent changes to disk now instead of while the first list is measured.
await pool().query('CHECKPOINT')
const web = await startWeb()
const bare = await startServer<{ port: number }>('bare/http.ts')
const measured = new Map<Target, { ours: Measured; bare: Measured }>()
try {
  for (const target of targets) {
    const runs: { ours: Measured; bare: Measured }[] = []
    for (let run = 0; run < RUNS; run++)
      runs.push({
        ours: await measure(`${web.url}/api/v1${target.ours}`, target.key),
        bare: await measure(`http://127.0.0.1:${bare.where.port}${target.bare}`, target.key),
      })
    const of = (pick: (run: (typeof runs)[number]) => number) => median(runs.map(pick))
    const result = {
      ours: { p50: of((run) => run.ours.p50), p99: of((run) => run.ours.p99) },
      bare: { p50: of((run) => run.bare.p50), p99: of((run) => run.bare.p99) },
    }
    measured.set(target, result)
    printNote(`${target.label} of ${target.size}: ours ${show(result.ours)}, bare ${show(result.bare)}`)
  }
} finally {
  await web.stop()
  bare.stop()
}

function show({ p50, p99 }: Measured): string {
  return `${p50.toFixed(1)} / ${p99.toFixed(1)} ms`
}

for (const [target, { ours, bare: limit }] of measured) {
  const many = target.size.toLocaleString('en')
  report({
    what: `List of ${target.label}, ${many}: p50, one caller`,
    ours: `${ours.p50.toFixed(1)} ms`,
    against: `${limit.p50.toFixed(1)} ms (node:http + pg)`,
    ratio: (ours.p50 / limit.p50).toFixed(2),
    goal: `≤ ${GOAL.bare} and ≤ ${GOAL.p50_ms} ms`,
    met: ours.p50 <= GOAL.p50_ms && ours.p50 / limit.p50 <= GOAL.bare,
  })
  report({
    what: `List of ${target.label}, ${many}: p99, 8 callers`,
    ours: `${ours.p99.toFixed(1)} ms`,
    against: `${limit.p99.toFixed(1)} ms (node:http + pg)`,
    ratio: (ours.p99 / limit.p99).toFixed(2),
    goal: `≤ ${GOAL.p99_ms} ms`,
    met: ours.p99 <= GOAL.p99_ms,
  })
  const small = [...measured].find(([other]) => other.label === target.label && other.size < target.size)
  if (small)
    report({
      what: `List of ${target.label}: ${many} against ${small[0].size.toLocaleString('en')}`,
      ours: `${ours.p50.toFixed(1)} ms`,
      against: `${small[1].ours.p50.toFixed(1)} ms`,
      ratio: (ours.p50 / small[1].ours.p50).toFixed(2),
      goal: `≤ ${GOAL.growth}`,
      met: ours.p50 / small[1].ours.p50 <= GOAL.growth,
    })
}
await closeDatabase()
