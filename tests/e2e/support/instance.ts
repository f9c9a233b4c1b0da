import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import path from 'node:path'
import { portIsFree } from '#lib/db/free-port'
import { readRunFile } from '#scripts/up/run-file'
import { removeThrowaway, throwawayFolder } from '#tests/support/files/throwaway'
import { anIssuer } from '#tests/support/servers/issuer'

/** The user whom the instance's identity provider returns. */
export const OIDC_PERSON = {
  sub: 'person-1',
  email: 'Person@Example.com',
  email_verified: true,
  name: 'Petra Person',
  groups: ['outreach-leads'],
}

const ROOT = path.resolve(import.meta.dirname, '../../..')

/**
 * Starts a whole instance as a user would, on a free port and with a data folder of its own. Its environment
 * is copied to the tests, so that they write rows to the same database. OPENER_URL names a running instance instead.
 */
export default async function setup() {
  if (process.env.OPENER_URL) return
  const dataFolder = throwawayFolder()
  const port = await quietPort()
  const issuer = await anIssuer(OIDC_PERSON)
  const oidc = { OIDC_ISSUER: issuer.url, OIDC_CLIENT_ID: 'opener-e2e', OIDC_CLIENT_SECRET: 'e2e' }
  const stop = await start(dataFolder, port, oidc)
  const run = readRunFile(dataFolder)
  if (!run) throw new Error('The instance said it was ready, but left no run.json.')
  Object.assign(process.env, run.env, oidc, { OPENER_URL: run.url })
  return async () => {
    await stop()
    issuer.close()
    removeThrowaway(dataFolder)
  }
}

/**
 * Below the ephemeral ports of the system, as are the ports derived from it: nobody takes them during the minutes of a
 * build.
 */
async function quietPort(): Promise<number> {
  for (;;) {
    const port = randomInt(12_000, 22_000)
    if (await portIsFree(port)) return port
  }
}

/** Resolves at "Ready:" with a function that stops the instance and waits for its end. */
function start(dataFolder: string, port: number, oidc: object): Promise<() => Promise<void>> {
  const env = {
    ...process.env,
    ...oidc,
    DATA_DIR: dataFolder,
    PORT: String(port),
    HOST: '127.0.0.1',
    ALLOW_DEV_PAGES: '1',
    DATABASE_URL: '',
    // Nobody answers there: pages that use DNS do not wait for the internet.
    DNS_SERVERS: '127.0.0.1:1',
  }
  // The IPC channel closes with this process, so the instance stops even if this process is killed.
  const stdio: ['ignore', 'pipe', 'pipe', 'ipc'] = ['ignore', 'pipe', 'pipe', 'ipc']
  const child = spawn(process.execPath, ['scripts/up.ts'], { cwd: ROOT, env, stdio })
  return new Promise((resolve, reject) => {
    let said = ''
    const hear = (data: Buffer) => {
      said += data
      if (/^Ready: /m.test(said)) resolve(stop)
    }
    child.stdout?.on('data', hear)
    child.stderr?.on('data', hear)
    child.once('exit', (code) => reject(new Error(`The instance did not start (exit ${code}):\n${said}`)))
    const ended = new Promise<void>((end) => child.once('exit', () => end()))
    const stop = () => {
      child.kill('SIGTERM')
      return ended
    }
  })
}
