import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import path from 'node:path'
import pg from 'pg'
import { applyMigrations, readMigrations } from '#lib/db/migrate'
import { throwawayPostgres } from '#tests/support/throwaway'

export type Seeds = { from: number; count: number; replay?: boolean }
export type Server = { adminUrl: string; template: string }
export type Report = { held: number; failed: number; output: string }

const ROOT = path.join(import.meta.dirname, '../..')
const SECRETS = {
  APP_URL: 'http://opener.test',
  ENCRYPTION_KEY: createHash('sha256').update('simulation').digest('base64'),
  LOG_LEVEL: 'silent',
}

/** Plays seeds in processes of their own, each with its own database. Answers how many failed. */
export async function simulate(options: Seeds & { workers: number }): Promise<number> {
  const postgres = await throwawayPostgres({ max_connections: '200' })
  try {
    const template = 'simulation_template'
    await onServer(postgres.url, `CREATE DATABASE ${template}`)
    await applyMigrations(databaseUrl(postgres.url, template), readMigrations())
    const started = performance.now()
    const { held, failed } = await simulateOn({ adminUrl: postgres.url, template }, options)
    const seconds = Math.round((performance.now() - started) / 1_000)
    console.log(`${held} seeds held, ${failed} failed, in ${seconds} s`)
    return failed
  } finally {
    await postgres.stop()
  }
}

/** The same on a server that runs already. `preload` names a module that each process loads first. */
export async function simulateOn(
  server: Server,
  options: Seeds & {
    workers: number
    quiet?: boolean
    preload?: string
    env?: Record<string, string>
    sql?: string
  },
): Promise<Report> {
  const { from, count, workers } = options
  const share = Math.ceil(count / workers)
  const reports = await Promise.all(
    Array.from({ length: Math.min(workers, count) }, (_, index) =>
      inProcess(server, {
        ...options,
        from: from + index * share,
        count: Math.min(share, count - index * share),
      }),
    ),
  )
  return reports.reduce((sum, one) => ({
    held: sum.held + one.held,
    failed: sum.failed + one.failed,
    output: sum.output + one.output,
  }))
}

async function inProcess(server: Server, options: Parameters<typeof simulateOn>[1]): Promise<Report> {
  const name = `opener_simulation_${process.pid}_${options.from}_${Math.round(performance.now())}`
  const url = databaseUrl(server.adminUrl, name)
  await onServer(server.adminUrl, `CREATE DATABASE ${name} TEMPLATE ${server.template}`)
  if (options.sql) await onServer(url, options.sql)
  const args = [
    ...(options.preload ? ['--import', options.preload] : []),
    path.join(ROOT, 'scripts/simulate.ts'),
    ...['--database', url, '--from', `${options.from}`, '--seeds', `${options.count}`],
    ...(options.replay ? ['--replay'] : []),
  ]
  try {
    return await new Promise<Report>((resolve, reject) => {
      const child = spawn(process.execPath, args, {
        cwd: ROOT,
        env: { ...process.env, ...SECRETS, DATABASE_URL: url, ...options.env },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let output = ''
      const hear = (text: Buffer) => {
        output += text
        if (!options.quiet) process.stdout.write(text)
      }
      child.stdout.on('data', hear)
      child.stderr.on('data', hear)
      child.once('error', reject)
      child.once('exit', (code) => {
        const [, held = '0', failed = '0'] = /(\d+) held, (\d+) failed\s*$/.exec(output) ?? []
        // A process that fell over counts as a failure, with what it said last.
        resolve({ held: Number(held), failed: code === 0 ? 0 : Math.max(1, Number(failed)), output })
      })
    })
  } finally {
    await onServer(server.adminUrl, `DROP DATABASE ${name} WITH (FORCE)`)
  }
}

/** Plays seeds in this process on one database, and prints those that failed. */
export async function simulateHere(database: string, { from, count, replay }: Seeds): Promise<number> {
  const { openTheatre, playSeed } = await import('#tests/simulation/seed')
  const theatre = await openTheatre(database)
  let failed = 0
  for (let seed = from; seed < from + count; seed++) {
    const verdict = await playSeed(theatre, seed)
    if (replay) console.log(verdict.log.join('\n'))
    if (verdict.invariant === null) {
      if (replay) console.log(`seed ${seed} held: ${verdict.offers} offers, ${verdict.wakes} wake-ups`)
      continue
    }
    failed += 1
    console.log(
      [
        `seed ${seed} broke ${verdict.message}`,
        ...(replay ? [] : verdict.log.slice(-LOG_LINES).map((line) => `  ${line}`)),
        `  replay: npm run simulate -- --seed ${seed} --replay`,
      ].join('\n'),
    )
    if (process.env.SIMULATION_STOP) break
  }
  console.log(`${count - failed} held, ${failed} failed`)
  await theatre.close()
  return failed
}

const LOG_LINES = 25

function databaseUrl(adminUrl: string, name: string): string {
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  return url.href
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
