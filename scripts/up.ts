// npm run up: one supervisor for everything that Opener needs on one machine.
import path from 'node:path'
import { stopLeftOver } from '#lib/db/embedded'
import { applyMigrations } from '#lib/db/migrate'
import { actionsKey, buildApp, generateClient } from '#scripts/up/build'
import { claimFolder } from '#scripts/up/claim'
import { checkDatabase } from '#scripts/up/database'
import { keepRegistered, requireServerKeys, serveOrigin } from '#scripts/up/inngest-server'
import { Instance, printLine } from '#scripts/up/instance'
import { endQuietly, killQuietly, runQuietly } from '#scripts/up/quiet'
import { type Role, requireShared } from '#scripts/up/role'
import { endLeftOvers } from '#scripts/up/run-file'
import { readSecrets } from '#scripts/up/secrets'
import { environment, localUrl } from '#scripts/up/services'
import { choosePorts, readSettings, type Settings } from '#scripts/up/settings'
import { signInLines, type WayIn } from '#scripts/up/sign-in-lines'
import { explain } from '#scripts/up/trouble'
import { step } from './progress.mjs'
import './up/full-disk.mjs'
import './up/settle.mjs'

const STARTING: Record<Role, string> = {
  all: 'Starting web, engine and sandbox mail',
  web: 'Starting web',
  engine: 'Starting engine',
}

let instance: Instance | undefined
let release = () => {}
let endRegistering = () => {}
let asked = 0
let dataFolder = process.env.DATA_DIR || '.data'

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => shutDown(signal))
// The process that started us holds the other end: if it is killed, it can no longer pass on signals.
process.on('disconnect', () => shutDown('SIGTERM'))

try {
  const settings = readSettings()
  dataFolder = settings.dataFolder
  await up(settings)
} catch (error) {
  // Stopped while starting: failures are then a result of that.
  if (asked === 0) {
    console.error(explain(error, dataFolder))
    await instance?.stop().catch(() => undefined)
    release()
    process.exit(1)
  }
}

async function up(settings: Settings) {
  release = claimFolder(settings.dataFolder)
  await endLeftOvers(settings.dataFolder)
  await stopLeftOver(settings.dataFolder)
  requireShared(settings.role, process.env)
  requireServerKeys(process.env)
  const origin = settings.role === 'web' ? undefined : serveOrigin(settings, process.env)
  const given = process.env.DATABASE_URL
  if (given) await checkDatabase(given)
  const ports = await choosePorts(settings, (line) => console.log(line))
  const secrets = readSecrets(settings.dataFolder, process.env)
  await generateClient()

  const started = new Instance(settings, ports)
  instance = started
  const databaseUrl = given || (await step('Starting Postgres', () => started.startPostgres()))
  const env: Record<string, string> = {
    ...environment(settings, ports, databaseUrl),
    ...secrets,
    ...(origin && { INNGEST_SERVE_ORIGIN: origin }),
    NEXT_SERVER_ACTIONS_ENCRYPTION_KEY: actionsKey({ ...process.env, ...secrets }),
  }
  const wayIn = await step('Preparing the database', async () => {
    await applyMigrations(databaseUrl)
    if (settings.role === 'engine') return null
    const said = await runQuietly(['scripts/up/seed.ts'], { ...process.env, ...env })
    return JSON.parse(said.trim().split('\n').at(-1) ?? '') as WayIn
  })
  if (settings.role !== 'engine') await buildApp({ ...process.env, ...env })
  await step(STARTING[settings.role], () => started.startServices(env))
  if (settings.verbose)
    console.log(`Ports: database ${ports.database}, engine ${ports.engine}, smtp ${ports.smtp}`)
  announce(settings, wayIn)
  if (origin) endRegistering = keepRegistered(env.INNGEST_SERVE_URL ?? '', env, printLine)
}

/** The engine role has no sign-in. */
function announce(settings: Settings, wayIn: WayIn | null) {
  console.log(`Ready: ${localUrl(settings)}`)
  if (wayIn) {
    for (const line of signInLines(wayIn)) console.log(line)
    console.log(`  API token  npm run -s token${wayIn.demo ? '' : ' -- EMAIL'}`)
  }
  console.log(`  Logs       ${path.join(settings.dataFolder, 'logs')}`)
}

/** Ctrl-C arrives up to three times at once (terminal, npm, start script): only a later one means "now". */
async function shutDown(signal: string) {
  if (asked > 0) {
    if (signal !== 'SIGINT' || performance.now() - asked < 1000) return
    console.log('Stopping at once.')
    killQuietly()
    instance?.kill()
    release()
    process.exit(130)
  }
  asked = performance.now()
  endRegistering()
  console.log('\nStopping …')
  await endQuietly()
  await instance?.stop().catch((error) => console.error(explain(error, dataFolder)))
  release()
  console.log('Stopped.')
  process.exit(0)
}
