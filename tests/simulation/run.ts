import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import path from 'node:path'
import pg from 'pg'
import { startServer } from '#tests/support/postgres'

export type Seeds = {
  from: number
  count: number
  /** Print everything that happens. */
  replay?: boolean
  /** Stop at the first seed that fails. */
  stop?: boolean
  /** Only seeds whose worlds have social steps. */
  social?: boolean
  /** Only seeds whose worlds have two workspaces. */
  neighbours?: boolean
  /** Only seeds whose worlds have mailboxes that sign in by OAuth. */
  granted?: boolean
  /** Only undisturbed worlds, whose campaigns must keep their common forecast. */
  undisturbed?: boolean
}
export type Report = { held: number; failed: number; output: string }

const ROOT = path.join(import.meta.dirname, '../..')
/** Number of log lines that are shown for a failing seed; a replay shows all. */
const LOG_LINES = 25
const SETTINGS = {
  APP_URL: 'http://opener.test',
  ENCRYPTION_KEY: createHash('sha256').update('simulation').digest('base64'),
  LOG_LEVEL: 'silent',
}

/** Plays seeds on a server of their own and reports how many held. Returns the number of failures. */
export async function simulate(options: Seeds & { workers: number }): Promise<number> {
  const server = await startServer()
  try {
    const started = performance.now()
    const { held, failed } = await simulateOn(server, { ...options, show: true })
    const seconds = Math.round((performance.now() - started) / 1_000)
    console.log(`${held} seeds held, ${failed} failed, in ${seconds} s`)
    return failed
  } finally {
    await server.stop()
  }
}

/** Distributes the seeds over processes, each with a database of its own. */
export async function simulateOn(
  server: { adminUrl: string; template: string },
  options: Seeds & { workers: number; show?: boolean },
): Promise<Report> {
  const { from, count, workers, stop } = options
  const share = Math.ceil(count / workers)
  const children = new Set<ChildProcess>()
  const reports = await Promise.all(
    Array.from({ length: Math.min(workers, count) }, async (_, index) => {
      const part = { ...options, from: from + index * share, count: Math.min(share, count - index * share) }
      const report = await inProcess(server, part, children)
      if (stop && report.failed > 0) for (const child of children) child.kill()
      return report
    }),
  )
  return reports.reduce((sum, one) => ({
    held: sum.held + one.held,
    failed: sum.failed + one.failed,
    output: sum.output + one.output,
  }))
}

async function inProcess(
  server: { adminUrl: string; template: string },
  { from, count, replay, stop, social, neighbours, granted, undisturbed, show }: Seeds & { show?: boolean },
  children: Set<ChildProcess>,
): Promise<Report> {
  const name = `opener_simulation_${process.pid}_${from}`
  const url = new URL(server.adminUrl)
  url.pathname = `/${name}`
  await onServer(server.adminUrl, `CREATE DATABASE ${name} TEMPLATE ${server.template} STRATEGY FILE_COPY`)
  const flags = [
    ...(replay ? ['--replay'] : []),
    ...(stop ? ['--stop'] : []),
    ...(social ? ['--social'] : []),
    ...(neighbours ? ['--neighbours'] : []),
    ...(granted ? ['--granted'] : []),
    ...(undisturbed ? ['--undisturbed'] : []),
  ]
  const args = [
    'tools/simulate.ts',
    '--database',
    url.href,
    '--from',
    `${from}`,
    '--seeds',
    `${count}`,
    ...flags,
  ]
  try {
    return await new Promise<Report>((resolve, reject) => {
      const child = spawn(process.execPath, args, {
        cwd: ROOT,
        env: { ...process.env, ...SETTINGS, DATABASE_URL: url.href },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      children.add(child)
      let output = ''
      const hear = (text: Buffer) => {
        output += text
        if (show) process.stdout.write(text)
      }
      child.stdout.on('data', hear)
      child.stderr.on('data', hear)
      child.once('error', reject)
      child.once('close', (code) => {
        children.delete(child)
        const [, held = '0', failed = '0'] = /(\d+) held, (\d+) failed\s*$/.exec(output) ?? []
        // A crashed process counts as a failure, with its last output.
        resolve({ held: Number(held), failed: code === 0 ? 0 : Math.max(1, Number(failed)), output })
      })
    })
  } finally {
    await onServer(server.adminUrl, `DROP DATABASE ${name} WITH (FORCE)`)
  }
}

/** Plays seeds in this process on one database, and prints those that failed. */
export async function simulateHere(
  database: string,
  { from, count, replay, stop, social, neighbours, granted, undisturbed }: Seeds,
): Promise<number> {
  const { openTheatre } = await import('#tests/simulation/worlds/theatre')
  const { playSeed } = await import('#tests/simulation/worlds/seed')
  const { hasGrants } = await import('#tests/simulation/grants/vault')
  const { hasAccounts, hasNeighbour, worldOf } = await import('#tests/simulation/worlds/world')
  const theatre = await openTheatre(database)
  let held = 0
  let failed = 0
  for (let seed = from; seed < from + count && !(stop && failed > 0); seed++) {
    if (social && !hasAccounts(seed)) continue
    if (neighbours && !hasNeighbour(seed)) continue
    if (granted && !hasGrants(seed)) continue
    if (undisturbed && !worldOf(seed).undisturbed) continue
    const verdict = await playSeed(theatre, seed)
    if (replay) console.log(verdict.log.join('\n'))
    if (verdict.invariant === null) {
      held += 1
      if (replay) console.log(`seed ${seed} held: ${verdict.offers} offers, ${verdict.wakes} wake-ups`)
      continue
    }
    failed += 1
    const shown = replay ? [] : verdict.log.slice(-LOG_LINES).map((line) => `  ${line}`)
    const again = `  replay: npm run simulate -- --seed ${seed} --replay`
    console.log([`seed ${seed} broke ${verdict.message}`, ...shown, again].join('\n'))
  }
  console.log(`${held} held, ${failed} failed`)
  await theatre.close()
  return failed
}

async function onServer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
