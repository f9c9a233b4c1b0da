import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { waitForExit } from '#lib/db/processes'
import { STOP_GRACE_MS } from '#lib/services/instance/stopping'
import { ROOT } from '#scripts/up/settings'
import { Trouble } from '#scripts/up/trouble'

export type Service = {
  name: string
  /** Arguments for Node: a script of the checkout and its own arguments. */
  args: string[]
  env: NodeJS.ProcessEnv
  /** Its output goes here (kept over restarts), or to the terminal where null. */
  log: string | null
  /** Whether it serves already; asked until it does. */
  isReady(): Promise<boolean>
  /** Where the supervisor listens for it, and starts it with the first connection. */
  onDemand?: number
}

export type Running = { name: string; pid(): number | null; stop(): Promise<void>; kill(): void }

/** What the supervisor wants to know: a line for the user, and that a pid changed. */
export type Hear = { say(line: string): void; changed(): void }

const BACKOFF_MS = [500, 1000, 2000, 5000, 10_000, 15_000]

/**
 * Starts a service and keeps it running: one that dies is started again, soon at first, then less and
 * less often, and soon again once it has lived a minute. Rejects when it dies before it ever was ready.
 */
export async function keepRunning(service: Service, hear: Hear): Promise<Running> {
  let stopping = false
  let deaths = 0
  let timer: NodeJS.Timeout | undefined
  let child = launch(service, hear)
  let since = performance.now()

  const revive = () => {
    if (stopping) return
    if (performance.now() - since > 60_000) deaths = 0
    const delay = BACKOFF_MS[Math.min(deaths, BACKOFF_MS.length - 1)] ?? 15_000
    deaths += 1
    hear.say(
      `${service.name} stopped (${child.signalCode ?? `exit ${child.exitCode}`}): restarting in ${delay / 1000} s.`,
    )
    timer = setTimeout(() => {
      child = launch(service, hear)
      since = performance.now()
      child.once('exit', revive)
      hear.changed()
    }, delay)
  }

  await firstReady(service, child)
  if (hasEnded(child)) revive()
  else child.once('exit', revive)

  const stop = async () => {
    stopping = true
    clearTimeout(timer)
    await endChild(child, service.name, hear)
  }
  const pid = () => (hasEnded(child) ? null : (child.pid ?? null))
  const kill = () => {
    stopping = true
    clearTimeout(timer)
    child.kill('SIGKILL')
  }
  return { name: service.name, pid, stop, kill }
}

/** Asks it to end, and makes it where it does not. */
export async function endChild(child: ChildProcess, name: string, hear: Hear): Promise<void> {
  if (hasEnded(child)) return
  child.kill('SIGTERM')
  if (child.pid && !(await waitForExit(child.pid, STOP_GRACE_MS + 5_000))) child.kill('SIGKILL')
  if (!hasEnded(child)) await once(child, 'exit')
  if (child.exitCode !== 0)
    hear.say(`${name} did not stop cleanly (${child.signalCode ?? `exit ${child.exitCode}`}).`)
}

export function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

/** In a session of its own, so that Ctrl-C reaches the supervisor, which stops things in their order. */
export function launch({ args, env, log }: Service, { say }: Hear): ChildProcess {
  const first = ['die-with-parent.mjs', 'full-disk.mjs', 'settle.mjs'].flatMap((name) => [
    '--import',
    pathToFileURL(path.join(ROOT, 'scripts/up', name)).href,
  ])
  const out = log ? openLog(log, say) : ('inherit' as const)
  const child = spawn(process.execPath, [...first, ...args], {
    cwd: ROOT,
    env,
    detached: true,
    stdio: ['ignore', out, out, 'ipc'],
  })
  if (typeof out === 'number') fs.closeSync(out)
  child.on('error', () => undefined)
  return child
}

/** A log that cannot be opened (a full disk, too many files) keeps nothing from starting: its lines come to the terminal. */
function openLog(log: string, say: Hear['say']): number | 'inherit' {
  try {
    return fs.openSync(log, 'a', 0o600)
  } catch (error) {
    say(`${log} cannot be written: ${error instanceof Error ? error.message : error}`)
    return 'inherit'
  }
}

async function firstReady(service: Service, child: ChildProcess): Promise<void> {
  const from = service.log && fs.existsSync(service.log) ? fs.statSync(service.log).size : 0
  for (const deadline = performance.now() + 90_000; performance.now() < deadline; ) {
    if (hasEnded(child)) break
    if (await service.isReady()) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  child.kill('SIGKILL')
  const said = service.log ? fs.readFileSync(service.log).subarray(from).toString().trim().slice(-3000) : ''
  throw new Trouble(`${service.name} did not start.${said ? ` It said:\n${said}` : ''}`)
}
