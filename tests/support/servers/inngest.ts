import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { freePort } from '#lib/db/free-port'
import { callApp } from '#lib/engine/call'
import { canonical } from '#lib/engine/protocol'
import { type App, pointSdkAt, spawnEngine, startTestEngine, until } from '#tests/support/engine'

/**
 * The server that the suite of functions runs against: a real Inngest server where INNGEST_BASE_URL names one, with the
 * keys it was started with; else the embedded engine. INNGEST_SERVER is the command that starts the real one, for the
 * tests that kill it.
 */
const given = {
  url: process.env.INNGEST_BASE_URL,
  signingKey: process.env.INNGEST_SIGNING_KEY ?? '',
  eventKey: process.env.INNGEST_EVENT_KEY ?? '',
  command: process.env.INNGEST_SERVER,
}

export type FunctionServer = { stop: () => Promise<void> }

/** A server that knows the functions of `app`; from now on the SDK of this process talks to it. */
export async function startServer(app: App): Promise<FunctionServer> {
  if (!given.url) return startTestEngine(app.url)
  pointAtGiven(given.url)
  await sync(app)
  return { stop: () => forget(app) }
}

export type MortalServer = FunctionServer & { kill: () => Promise<void>; revive: () => Promise<void> }

/**
 * A server in a process of its own, which can be killed without warning and started again. `serve` starts the app, where
 * the app runs in another process: it learns the server's address from the environment of this process.
 */
export async function startMortalServer(app: App, serve = async () => {}): Promise<MortalServer> {
  const port = given.url ? 0 : await freePort()
  if (given.url) pointAtGiven(given.url)
  else pointSdkAt(port)
  await serve()
  let child: ChildProcess | undefined
  const launch = async () => {
    child = given.url ? await spawnGiven(given.url) : await spawnEngine(app.url, port)
    if (given.url) await sync(app)
  }
  const kill = () => killAtOnce(child)
  await launch()
  return {
    kill,
    revive: launch,
    stop: async () => {
      if (given.url) await forget(app)
      await kill()
    },
  }
}

/** Whether the suite may kill the server that it runs against. */
export const mayKill = !given.url || Boolean(given.command)

function pointAtGiven(url: string): void {
  Object.assign(process.env, {
    INNGEST_DEV: '0',
    INNGEST_BASE_URL: url,
    INNGEST_SIGNING_KEY: given.signingKey,
    INNGEST_EVENT_KEY: given.eventKey,
  })
}

/** As `npm run up` does it: the app registers its functions with the server. */
async function sync(app: App): Promise<void> {
  let last: unknown
  const taken = async () => {
    const answer = await callApp({
      method: 'PUT',
      url: new URL(app.url),
      body: canonical({ url: app.url }),
      headers: {},
      signingKey: process.env.INNGEST_SIGNING_KEY,
      signal: AbortSignal.timeout(10_000),
    })
    last = answer
    return answer.kind === 'answer' && answer.status === 200
  }
  await until(taken, 'the server to take the functions', 30_000).catch((error: Error) => {
    throw new Error(`${error.message}: ${JSON.stringify(last)}`)
  })
}

/** Removes the app, so that its functions do not run for the events of the next test file. */
async function forget({ url }: App): Promise<void> {
  await fetch(`${given.url}/fn/remove?url=${encodeURIComponent(url)}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${given.signingKey}` },
  }).catch(() => undefined)
}

/** The real server for a drill, where one is given, started by its command; the app still has to register with it. */
export async function startGiven(): Promise<{
  kill: () => Promise<void>
  revive: () => Promise<void>
} | null> {
  const { url } = given
  if (!url) return null
  let child = await spawnGiven(url)
  return {
    kill: () => killAtOnce(child),
    revive: async () => {
      child = await spawnGiven(url)
    },
  }
}

async function killAtOnce(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
}

async function spawnGiven(url: string): Promise<ChildProcess> {
  const [command = '', ...args] = (given.command ?? '').split(' ')
  if (!command)
    throw new Error('INNGEST_SERVER is not set: the command that starts the server at INNGEST_BASE_URL')
  const child = spawn(command, args, { stdio: 'ignore' })
  const answers = () =>
    fetch(`${url}/health`).then(
      ({ ok }) => ok,
      () => false,
    )
  await until(answers, 'the Inngest server to answer')
  return child
}
