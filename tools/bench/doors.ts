// What an API request costs the web process, through the entry point of `npm run up` and through the framework's own (`next
// start`). BENCH_DOOR names another entry point to compare with, such as the one before a change.
import autocannon from 'autocannon'
import { closeDatabase } from '#lib/db/client'
import { createApiKey } from '#lib/services/workspaces/api-keys'
import { WEB_ARGS } from '#scripts/up/services'
import { median, oneDecimal, printNote, RUNS, report, timed } from './harness.ts'
import { descendants, sum } from './instance/processes.ts'
import { startWeb } from './instance/web.ts'
import { aDataset, anOwner } from './seed.ts'

const REQUESTS = 3_000
/** Requests before measuring, for compilation and first-time work. */
const WARM = 2_000
const OTHER = process.env.BENCH_DOOR
const SIDES = {
  ours: WEB_ARGS,
  other: OTHER
    ? [...WEB_ARGS.slice(0, -1), OTHER]
    : [...WEB_ARGS.slice(0, -1), 'node_modules/next/dist/bin/next', 'start'],
}
const NAME = OTHER ?? 'next start'

const owner = await anOwner()
const { workspace_id } = owner
const dataset_id = await aDataset(workspace_id, 1_000)
const { key } = await createApiKey(owner, { name: 'Bench', scopes: ['read'] }, new Date())
const PATHS = { list: `/api/v1/datasets/${dataset_id}/rows`, 'smallest answer': '/api/v1/auth/me' }

type Costs = { start_ms: number; rest_mb: number; list: number; 'smallest answer': number; used_mb: number }

const sumCpu = (pid: number) => sum(descendants(pid), (one) => one.cpu_s)
const sumMemory = (pid: number) => sum(descendants(pid), (one) => one.memory_mb)

function ask(url: string, amount: number): Promise<void> {
  const headers = { authorization: `Bearer ${key}` }
  return new Promise((resolve, reject) => {
    const run = autocannon({ url, headers, connections: 8, amount }, (error) =>
      error ? reject(error) : resolve(),
    )
    run.on('response', (_client, status) => {
      if (status !== 200) reject(new Error(`${url} answered ${status}`))
    })
  })
}

async function measureCosts(args: readonly string[]): Promise<Costs> {
  const { ms: start_ms, result: web } = await timed(() => startWeb(args))
  try {
    const rest_mb = sumMemory(web.pid)
    /** CPU milliseconds per request. */
    const measure = async (path: string) => {
      await ask(`${web.url}${path}`, WARM)
      const before = sumCpu(web.pid)
      await ask(`${web.url}${path}`, REQUESTS)
      return ((sumCpu(web.pid) - before) * 1_000) / REQUESTS
    }
    const list = await measure(PATHS.list)
    const smallest = await measure(PATHS['smallest answer'])
    return { start_ms, rest_mb, list, 'smallest answer': smallest, used_mb: sumMemory(web.pid) }
  } finally {
    await web.stop()
  }
}

const runs: { ours: Costs; other: Costs }[] = []
for (let run = 0; run < RUNS; run++) {
  runs.push({ ours: await measureCosts(SIDES.ours), other: await measureCosts(SIDES.other) })
  printNote(JSON.stringify(runs.at(-1)))
}

function line(what: string, of: keyof Costs, unit: string, goal: number | null): void {
  const ours = median(runs.map((run) => run.ours[of]))
  const other = median(runs.map((run) => run.other[of]))
  const shown = (value: number) =>
    unit === 'ms' && value < 100 ? `${value.toFixed(2)} ms` : `${oneDecimal(value)} ${unit}`
  report({
    what,
    ours: shown(ours),
    against: `${shown(other)} (${NAME})`,
    ratio: (ours / other).toFixed(2),
    goal: goal === null ? '' : `≤ ${goal}`,
    met: goal === null ? null : ours / other <= goal,
  })
}

line('CPU of the web process for a list of 20 rows', 'list', 'ms', 1)
line('CPU of the web process for the smallest answer', 'smallest answer', 'ms', 1)
line('Web process: until its first answer', 'start_ms', 'ms', null)
line('Web process: memory once started', 'rest_mb', 'MB', null)
line('Web process: memory after 10,000 requests of the API', 'used_mb', 'MB', null)
await closeDatabase()
