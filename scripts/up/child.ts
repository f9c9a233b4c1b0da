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
  /** The file for its output (kept over restarts), or null for the terminal. */
  log: string | null
  /** Whether it is ready; polled until it is. */
  isReady(): Promise<boolean>
  /** The port on which the supervisor listens for it; the first connection starts it. */
  onDemand?: number
}

export type Running = { name: string; pid(): number | null; stop(): Promise<void>; kill(): void }

/** The supervisor's callbacks: a line for the user, and that a pid changed. */
export type Hear = { say(line: string): void; changed(): void }

const BACKOFF_MS = [500, 1000, 2000, 5000, 10_000, 15_000]

/**
 * Starts a service and keeps it running. One that dies is restarted, soon at first, then less and less often, and soon again
 * after it has lived for a minute. Rejects if it dies before it was ever ready.
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

/** Asks the process to end, and kills it if it does not. */
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

/** In its own session, so that Ctrl-C reaches only the supervisor, which stops the services in order. */
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

/** If a log cannot be opened (a full disk, too many files), the service still starts: its lines go to the terminal. */
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
