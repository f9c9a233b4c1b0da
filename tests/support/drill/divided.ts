import { randomBytes } from 'node:crypto'
import * as fs from 'node:fs'
import path from 'node:path'
import { startPostgres } from '#lib/db/embedded'
import { freePort } from '#lib/db/free-port'
import { demoApi } from '#scripts/demo/api'
import { fragileWay } from '#tests/support/doubles/fragile-way'
import { launchDrill } from '#tests/support/drill/campaign'
import { pause, until } from '#tests/support/drill/instance'
import { type DrillLedger, drillLedger } from '#tests/support/drill/ledger'
import { drillMachine, type Machine } from '#tests/support/drill/machines'
import { seeded } from '#tests/support/drill/random'
import { aBrowser, rateInSum, watch } from '#tests/support/drill/shared'
import { drillSink } from '#tests/support/drill/sink'
import { type Felled, judge } from '#tests/support/drill/verdict'

type Options = {
  dataFolder: string
  port: number
  leads: number
  /** Number of web machines, and of engine machines. */
  machines: number
  /** How long the last machine of each kind is cut off from the database. */
  cut_off_ms: number
  say: (line: string) => void
}

const READS_PER_MINUTE = 600
const SLOW = { from: 500, to: 1_500 }
const QUICK = { from: 5, to: 20 }

/**
 * An instance divided over several machines on one Postgres, while a campaign runs: one machine of each kind is killed, and one
 * of each is cut off from the database. Returns the outcome of every lead, and what the unaffected machines answered.
 */
export async function runDivided(options: Options) {
  const { dataFolder, say } = options
  fs.mkdirSync(dataFolder, { recursive: true })
  const sink = await drillSink(path.join(dataFolder, 'taken.jsonl'), seeded(1), { ...SLOW })
  const settings = { max_connections: '300', fsync: 'off' }
  const postgres = await startPostgres({ folder: dataFolder, port: await freePort(), settings })
  const way = await fragileWay(postgres.url)
  const { webs, engines, secret } = machinesOf(options, postgres.url, way.url)
  const all = [...webs, ...engines]
  try {
    // One after the other: the first one migrates and builds.
    for (const machine of all) await machine.start()
    say(`${webs.length} web and ${engines.length} engine machines run.`)
    const [first, second, last] = [webs[0], webs[1], webs.at(-1)] as [Machine, Machine, Machine]
    const browser = await aBrowser(postgres.url, secret, `opener-${options.port}.session`)
    const { client } = demoApi(first.dataFolder)
    const file = () => new File(['email\na@example.com'], 'x.csv', { type: 'text/csv' })
    const shared = {
      session_on_each: await browser.pages(webs),
      told_ms: await browser.told(last, () => client.importSpreadsheet({ body: { file: file() } })),
      reads: await rateInSum(webs, READS_PER_MINUTE),
    }
    say(`Shared: ${JSON.stringify(shared)}`)

    const campaignId = await launchDrill(first.dataFolder, sink.port, options.leads)
    const ledger = drillLedger(postgres.url, campaignId)
    await until('mail to flow', () => sink.messages.length > 20)
    const felled: Felled[] = []
    const incident = incidents({ ledger, felled, taken: sink.taken, say })
    await incident(
      'web machine',
      webs.filter((web) => web !== second),
      async () => {
        second.kill()
        await pause(15_000)
      },
    )
    await second.start()
    await incident('engine machine', webs, async () => {
      engines[1]?.kill()
      await pause(40_000)
    })
    await engines[1]?.start()
    await incident(
      'cut off',
      webs.filter((web) => web !== last),
      async () => {
        way.stall()
        await pause(options.cut_off_ms)
        way.flow()
      },
    )
    await until(
      'the machine that was cut off to answer',
      async () => (await browser.pages([last]))[0] === 200,
    )
    sink.pace(QUICK)
    const from = Date.now()
    await until('the campaign to complete', async () => (await ledger.progress()).status === 'completed')
    const verdict = judge({
      leads: options.leads,
      steps: 2,
      felled,
      completedMs: Date.now() - from,
      taken: sink.taken(),
      entries: await ledger.entries(),
      statuses: await ledger.leads(),
    })
    return { ...verdict, shared }
  } finally {
    way.flow()
    for (const machine of all) await machine.stop()
    await way.close()
    await postgres.stop()
    await sink.close()
  }
}

function machinesOf({ machines, port, dataFolder }: Options, databaseUrl: string, stallableUrl: string) {
  const secret = randomBytes(32).toString('base64')
  const env = {
    DATABASE_URL: databaseUrl,
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    NEXTAUTH_SECRET: secret,
    APP_URL: `http://127.0.0.1:${port}`,
    FILES_DIR: path.join(dataFolder, 'files'),
    ALLOW_PRIVATE_HOSTS: '1',
    RATE_LIMIT_READ: `${READS_PER_MINUTE}`,
  }
  const make = (role: 'web' | 'engine', from: number) =>
    Array.from({ length: machines }, (_, i) =>
      drillMachine({
        name: `${role}-${i + 1}`,
        role,
        port: from + i,
        folder: dataFolder,
        env: i === machines - 1 ? { ...env, DATABASE_URL: stallableUrl } : env,
      }),
    )
  return { webs: make('web', port), engines: make('engine', port + machines), secret }
}

type Scene = {
  ledger: DrillLedger
  felled: Felled[]
  taken: () => { at: string }[]
  say: (line: string) => void
}

/** Runs one incident and reports what the unaffected machines showed: their answers, and the longest time in which no mail was sent. */
const incidents =
  ({ ledger, felled, taken, say }: Scene) =>
  async (victim: string, others: Machine[], play: () => Promise<void>) => {
    const at = new Date()
    const stop = watch(others)
    // Asked at once: whatever is in flight at this instant may become uncertain.
    const underway = ledger.underway(at)
    await play()
    const back_ms = Date.now() - at.getTime()
    const seen = await stop()
    felled.push({ victim, at, back_ms, underway: await underway })
    const times = taken()
      .map((message) => Date.parse(message.at))
      .filter((time) => time >= at.getTime())
    const gaps = [at.getTime(), ...times, Date.now()].map((time, i, list) =>
      i > 0 ? time - (list[i - 1] ?? 0) : 0,
    )
    say(
      `${victim}: others ${JSON.stringify(seen)}; ${times.length} mails in ${back_ms} ms, longest pause ${Math.max(...gaps)} ms`,
    )
  }
