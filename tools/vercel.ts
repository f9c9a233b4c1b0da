// npm run vercel [-- job|pages|conformance|serve] [--port N]: runs the output of `vercel build` here: its routes, files and
// functions behind one port, with its own Postgres, a blob store and the engine.
import { spawn } from 'node:child_process'
import * as fs from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import pino from 'pino'
import { freePort } from '#lib/db/free-port'
import { applyMigrations } from '#lib/db/migrate'
import { startEngine } from '#lib/engine/engine'
import { ROOT } from '#scripts/up/settings'
import { removeThrowaway, throwawayFolder, throwawayPostgres } from '#tests/support/files/throwaway'
import { aBlobStore, BLOB_TOKEN } from '#tests/support/servers/blob'
import { serveOutput } from './vercel/front.ts'
import { makeFunctions } from './vercel/functions.ts'
import type { Route } from './vercel/routes.ts'

const OUTPUT = path.join(ROOT, '.vercel/output')
const KEY = 'x'.repeat(40)

const { values, positionals } = parseArgs({ allowPositionals: true, options: { port: { type: 'string' } } })
if (!fs.existsSync(path.join(OUTPUT, 'config.json'))) {
  console.error(
    'There is no .vercel/output: run `vercel build` first (docs/vercel.md says how, without an account).',
  )
  process.exit(1)
}
const port = Number(values.port ?? (await freePort()))
const url = `http://127.0.0.1:${port}`
const routes: Route[] = JSON.parse(fs.readFileSync(path.join(OUTPUT, 'config.json'), 'utf8')).routes

const logs = throwawayFolder()
const log = fs.openSync(path.join(logs, 'functions.log'), 'a')
// On the same disk as the build, because its files are hard-linked.
const folder = fs.mkdtempSync(path.join(ROOT, '.vercel/functions-'))
// On the host no parent folder determines the module type of a function.
fs.writeFileSync(path.join(folder, 'package.json'), '{}')
const postgres = await throwawayPostgres()
const store = await aBlobStore()
const enginePort = await freePort()
await applyMigrations(postgres.url)

/** For all parts, and for the tests of the running output, which issue credentials of their own. */
const shared = {
  DATABASE_URL: postgres.url,
  ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
  NEXTAUTH_SECRET: KEY,
  APP_URL: 'http://opener.test',
  RATE_LIMIT_READ: '100000',
  RATE_LIMIT_WRITE: '100000',
  RATE_LIMIT_AI: '100000',
}
const ofFunctions = {
  ...shared,
  NODE_ENV: 'production',
  VERCEL: '1',
  DATABASE_POOL_SIZE: '3',
  LOG_LEVEL: 'warn',
  ALLOW_PRIVATE_HOSTS: '1',
  DNS_SERVERS: '127.0.0.1:1',
  BLOB_READ_WRITE_TOKEN: BLOB_TOKEN,
  VERCEL_BLOB_API_URL: store.url,
  INNGEST_BASE_URL: process.env.INNGEST_BASE_URL || `http://127.0.0.1:${enginePort}`,
  INNGEST_SIGNING_KEY: process.env.INNGEST_SIGNING_KEY || `signkey-test-${'ab'.repeat(32)}`,
  INNGEST_EVENT_KEY: process.env.INNGEST_EVENT_KEY || KEY,
  INNGEST_DEV: '0',
}

/** Serves the output on its port while `work` runs. */
async function served<T>(env: Record<string, string>, work: () => Promise<T>): Promise<T> {
  const output = path.join(OUTPUT, 'functions')
  const functions = makeFunctions({ output, root: ROOT, folder, env: { ...ofFunctions, ...env }, log })
  const front = await serveOutput({ routes, statics: path.join(OUTPUT, 'static'), functions, port })
  try {
    return await work()
  } finally {
    const { functions: different, started, asked } = functions.counts()
    console.log(`${asked} requests to ${different} functions, ${started} instances started`)
    functions.stop()
    await front.close()
  }
}

/** Runs the conformance suite against the served output, with the same test file that is used for the sources. */
function conformance(): Promise<boolean> {
  const file = 'tests/api/instance/conformance.test.ts'
  const args = [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--config',
    'tests/vitest.config.ts',
    '--project',
    'api',
    file,
  ]
  const env = {
    ...process.env,
    ...shared,
    TEST_DATABASE_URL: postgres.url,
    OPENER_AT: url,
    OPENER_DATABASE: postgres.url,
  }
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: 'inherit' })
    child.once('exit', (code) => resolve(code === 0))
  })
}

async function pages(): Promise<boolean> {
  Object.assign(process.env, shared, { LOG_LEVEL: 'silent' })
  const { openPages } = await import('./vercel/pages.ts')
  await openPages(url, (line) => console.log(line))
  return true
}

/** Starts the engine too, unless an Inngest server is configured. */
async function job(): Promise<boolean> {
  const { INNGEST_SIGNING_KEY: signingKey, INNGEST_EVENT_KEY: eventKey } = ofFunctions
  const serveUrl = `${url}/api/inngest`
  const options = {
    databaseUrl: postgres.url,
    serveUrl,
    port: enginePort,
    signingKey,
    eventKey,
    log: pino({ level: 'error' }),
  }
  const engine = process.env.INNGEST_BASE_URL ? null : await startEngine(options)
  Object.assign(process.env, shared, { LOG_LEVEL: 'silent' })
  const { playMainJob } = await import('./vercel/main-job.ts')
  try {
    await playMainJob(url, (line) => console.log(line))
    return store.files.size === 0
  } finally {
    await engine?.stop()
  }
}

/**
 * Each part starts with fresh functions. The job comes first: the other parts run without an engine, so events that they write
 * would wait for the hourly sweep.
 */
const PARTS: Record<string, () => Promise<boolean>> = {
  job: () => served({}, job),
  pages: () => served({ APP_URL: url }, pages),
  conformance: () => served({ SANDBOX_SMTP_PORT: '1' }, conformance),
}
const wanted = positionals.length > 0 ? positionals : Object.keys(PARTS)
let passed = true
try {
  for (const one of wanted) {
    if (one === 'serve') {
      await served({ APP_URL: url, ALLOW_SIGN_UP: '1' }, () => {
        console.log(`Serving ${OUTPUT} at ${url}`)
        return new Promise<void>((resolve) => process.once('SIGINT', () => resolve()))
      })
      continue
    }
    const isPassed = await PARTS[one]?.()
    if (isPassed === undefined) throw new Error(`${one} is none of ${Object.keys(PARTS).join(', ')}, serve.`)
    console.log(`${one}: ${isPassed ? 'passed' : 'failed'}`)
    passed &&= isPassed
  }
} catch (error) {
  passed = false
  console.error(error)
}
await store.close()
await postgres.stop()
fs.rmSync(folder, { recursive: true, force: true })
if (passed) removeThrowaway(logs)
else console.error(`What the functions said is in ${path.join(logs, 'functions.log')}, until the next run.`)
process.exit(passed ? 0 : 1)
