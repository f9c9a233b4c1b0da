// Runs a whole instance for hours: lists are imported, campaigns launched, and people open and reply. Shows whether its
// performance stays constant.
import * as fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { createClient } from '#lib/client/client'
import type { Client } from '#lib/client/types'
import { freePort } from '#lib/db/free-port'
import { demoApi } from '#scripts/demo/api'
import { drillInstance } from '#tests/support/drill/instance'
import { removeThrowaway, throwawayFolder } from '#tests/support/files/throwaway'
import { LASTING } from '../../../scripts/lasting.mjs'
import { printNote, startServer } from '../harness.ts'
import { reportLedger } from './ledger.ts'
import type { Probed } from './probe.ts'
import { type Sample, sampler } from './sample.ts'
import { connectMailboxes, LIST_ROWS, supply } from './supply.ts'
import { printGrowth, reportFlatness } from './verdict.ts'
import type { Counts, World } from './world.ts'

const MINUTES = Number(process.env.BENCH_SOAK_MINUTES ?? 120)
const RATE = Number(process.env.BENCH_SOAK_RATE ?? 300)
const MAILBOXES = Number(process.env.BENCH_SOAK_MAILBOXES ?? Math.ceil(RATE * 1.2))
const WINDOW_MS = Math.min(60_000, (MINUTES * 60_000) / 24)
const TELL_MINUTES = Math.min(5, MINUTES / 8)

if (process.platform !== 'linux') {
  printNote('only measured where /proc is')
  process.exit(0)
}
process.env.BENCH_LIST_ROWS = `${LIST_ROWS}`
const folder = throwawayFolder()
const addresses = Array.from({ length: MAILBOXES }, (_, n) => `sender${n}@example.org`)
const instance = drillInstance({
  port: await freePort(),
  dataFolder: folder,
  env: {
    ...LASTING,
    // Its own settings, as at a first start.
    ENCRYPTION_KEY: '',
    DATABASE_POOL_SIZE: '',
    ALLOW_PRIVATE_HOSTS: '1',
    // As docs/mailboxes.md recommends for many mailboxes at one host.
    MAIL_HOST_CONNECTIONS: '100',
    // Mailboxes are connected one by one.
    RATE_LIMIT_WRITE: '6000',
    // All callers share one key.
    RATE_LIMIT_READ: '6000',
  },
})
const world = await startServer<World>('soak/world.ts', { BENCH_ADDRESSES: addresses.join(' ') })
const counts = async (): Promise<Counts> => JSON.parse(await world.ask())
try {
  await instance.start()
  const { url, client, probeKey } = await enter()
  const mailboxIds = await connectMailboxes(client, addresses, world.where)
  printNote(`${MAILBOXES} mailboxes, ${RATE} mails/s for ${MINUTES} min`)
  const probe = await startServer('soak/probe.ts', { BENCH_URL: url, BENCH_KEY: probeKey })
  const database = new pg.Client({ connectionString: instance.run()?.env.DATABASE_URL })
  await database.connect()
  const sample = await sampler({
    client: database,
    supervisor: instance.run()?.pid ?? 0,
    counts,
    reads: async (): Promise<Probed> => JSON.parse(await probe.ask()),
  })
  const until = Date.now() + MINUTES * 60_000
  const supplied = supply({ client, folder, mailboxIds, rate: RATE, until })
  const samples = await watch(sample, until)
  const { launched, failures } = await supplied
  reportFlatness(samples, RATE, MINUTES)
  printGrowth(samples)
  await reportLedger({ client, database, counts }, { launched, failures })
  probe.stop()
  await database.end()
} finally {
  world.stop()
  await instance.stop()
  tellLog()
  removeThrowaway(folder)
}

/** An API key for the work, and one for the probe that only reads. */
async function enter(): Promise<{ url: string; client: Client; probeKey: string }> {
  const { url, client } = demoApi(folder)
  const make = (name: string, scopes: ('read' | 'write' | 'send')[]) =>
    client.createApiKey({ body: { name, scopes } })
  const { key: token } = await make('Soak', ['read', 'write', 'send'])
  const { key: probeKey } = await make('Probe', ['read'])
  return { url, client: createClient({ base_url: url, token }), probeKey }
}

async function watch(sample: () => Promise<Sample>, until: number): Promise<Sample[]> {
  const samples: Sample[] = []
  let told = 0
  for (let next = Date.now() + WINDOW_MS; next <= until + 1_000; next += WINDOW_MS) {
    await sleep(Math.max(0, next - Date.now()))
    const one = await sample()
    samples.push(one)
    if (one.minute - told < TELL_MINUTES - 0.05) continue
    told = one.minute
    const rounded = (of: Record<string, number>, digits: number) =>
      Object.entries(of)
        .map(([name, value]) => `${name} ${value.toFixed(digits)}`)
        .join(', ')
    printNote(
      `${one.minute.toFixed(1)} min: ${one.per_second.toFixed(0)}/s, ${one.taken} taken; MB ${rounded(one.memory, 0)}; cores ${rounded(one.cores, 2)}; ${one.connections} connections; reads p50 ${one.p50.toFixed(1)}, p99 ${one.p99.toFixed(1)} ms, ${one.failed_reads} failed; ${one.wal_mb.toFixed(0)} MB WAL; database ${one.database_mb.toFixed(0)} MB`,
    )
    if (one.longest) printNote(`a statement for ${one.longest.seconds.toFixed(0)} s: ${one.longest.query}`)
  }
  return samples
}

/** Prints the warnings and errors of its processes. */
function tellLog(): void {
  for (const name of ['web', 'engine']) {
    const file = path.join(folder, 'logs', `${name}.log`)
    const lines = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
    if (lines.length > 0) printNote(`${lines.length} lines in the log of ${name}; the last:`)
    for (const line of lines.slice(-5)) printNote(line.slice(0, 400))
  }
}
