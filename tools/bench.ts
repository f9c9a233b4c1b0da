// npm run bench [-- PART...] [--runs N]: measures Opener against peers and limits, and writes tools/bench/results.md.
import { spawn } from 'node:child_process'
import * as fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { applyMigrations } from '#lib/db/migrate'
import { buildApp, generateClient } from '#scripts/up/build'
import { throwawayPostgres } from '#tests/support/files/throwaway'
import type { Line } from './bench/harness.ts'
import { nearer } from './bench/nearer.ts'

const BENCH = path.resolve(import.meta.dirname, 'bench')
const RESULTS = path.join(BENCH, 'results.md')
const PARTS = [
  'dispatch',
  'cost',
  'forecast',
  'month',
  'launch',
  'claim',
  'policy',
  'workspaces',
  'analytics',
  'lists',
  'doors',
  'search',
  'import',
  'export',
  'personalize',
  'inbound',
  'idle',
  'install',
  'soak',
]
/** Runs only if named: it takes hours. */
const ONLY_IF_NAMED = ['soak']

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: 'string', default: '5' } },
})
const unknown = positionals.filter((part) => !PARTS.includes(part))
if (unknown.length > 0) {
  console.error(`Usage: npm run bench [-- PART...] [--runs N]   (parts: ${PARTS.join(', ')})`)
  process.exit(1)
}
const chosen =
  positionals.length > 0
    ? PARTS.filter((part) => positionals.includes(part))
    : PARTS.filter((part) => !ONLY_IF_NAMED.includes(part))

await generateClient()
// Built here, since a part's stdout carries JSON.
if (chosen.some((part) => ['lists', 'doors', 'idle', 'soak'].includes(part)))
  await buildApp({ ...process.env, NODE_ENV: 'production' })
// As a self-hoster runs it: nothing is lost in a crash, and every commit waits for the disk.
const postgres = await throwawayPostgres({
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  max_connections: '200',
  ...(chosen.includes('cost') && { shared_preload_libraries: 'pg_stat_statements' }),
})
const results: { part: string; lines: Line[] }[] = []
try {
  for (const part of chosen) {
    console.log(part)
    const lines = await runPart(part, await freshDatabase(part))
    results.push({ part, lines })
    console.table(Object.fromEntries(lines.map(({ what, ...rest }) => [what, rest])))
  }
} finally {
  await postgres.stop()
}
fs.writeFileSync(RESULTS, markdown())
const missed = results.flatMap(({ lines }) => lines.filter((line) => line.met === false))
console.log(
  `${missed.length === 0 ? 'Every goal is met.' : `${missed.length} goals are missed.`} tools/bench/results.md`,
)
process.exit(missed.length === 0 ? 0 : 1)

async function freshDatabase(part: string): Promise<string> {
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  await client.query(`CREATE DATABASE bench_${part}`).finally(() => client.end())
  const url = new URL(postgres.url)
  url.pathname = `/bench_${part}`
  await applyMigrations(url.href)
  return url.href
}

/** Runs a part in its own process; its result lines arrive as JSON on stdout. */
async function runPart(part: string, databaseUrl: string): Promise<Line[]> {
  const file = path.join(BENCH, `${part}.ts`)
  const main = fs.existsSync(file) ? file : path.join(BENCH, part, 'main.ts')
  const child = spawn(process.execPath, [main], {
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      DATABASE_POOL_SIZE: '10',
      ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
      APP_URL: 'http://127.0.0.1:3000',
      ALLOW_PRIVATE_HOSTS: '1',
      LOG_LEVEL: 'error',
      BENCH_RUNS: values.runs,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines: Line[] = []
  for await (const line of createInterface({ input: child.stdout })) lines.push(JSON.parse(line))
  const code = child.exitCode ?? (await new Promise<number>((resolve) => child.once('exit', resolve)))
  if (code !== 0) throw new Error(`The part "${part}" ended with ${code}.`)
  return lines
}

/** The table, with the day and number of runs for the parts that ran now; rows of other parts are unchanged. */
function markdown(): string {
  const cpu = os.cpus()
  const machine = `${cpu.length} × ${cpu[0]?.model.trim() ?? 'CPU'}, ${Math.round(os.totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}`
  const measured = `${new Date().toISOString().slice(0, 10)}, ${values.runs} ${values.runs === '1' ? 'run' : 'runs'}`
  const old = fs.existsSync(RESULTS) ? fs.readFileSync(RESULTS, 'utf8').split('\n') : []
  const rows = PARTS.flatMap(
    (name) =>
      results
        .find(({ part }) => part === name)
        ?.lines.map(
          ({ what, ours, against, ratio, goal, met }) =>
            `| ${name} | ${what} | ${ours} | ${against} | ${ratio} | ${goal} | ${met === null ? '' : met ? 'yes' : '**no**'} | ${measured} |`,
        ) ?? old.filter((row) => row.startsWith(`| ${name} |`)),
  )
  return `# Bench

Measured by \`npm run bench\`, last on ${machine}.
Both sides of a ratio ran in turns on the same machine, the same Postgres (fsync on) and the same data; medians of the runs.
Absolute numbers depend on the machine, ratios hardly do. How each is measured stands in \`tools/bench/\`.

| part | what | ours | against | ratio | goal | met | measured |
| --- | --- | --- | --- | --- | --- | --- | --- |
${rows.join('\n')}
${nearer(rows)}`
}
