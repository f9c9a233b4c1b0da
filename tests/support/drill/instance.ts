import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import path from 'node:path'
import { inspectProcess, waitForExit } from '#lib/db/processes'
import { readRunFile } from '#scripts/up/run-file'
import { ROOT } from '#scripts/up/settings'

/** What a drill kills. `all` is the supervisor, everything it started, and Postgres: a power cut. */
export type Victim = 'web' | 'engine' | 'database' | 'all'

type Options = { port: number; dataFolder: string; env: Record<string, string> }

/** A whole instance, started as a user starts it, whose processes can be killed without warning. */
export function drillInstance({ port, dataFolder, env }: Options) {
  let supervisor: ChildProcess | undefined
  const run = () => readRunFile(dataFolder)

  async function start(): Promise<void> {
    const given = {
      ...process.env,
      ...env,
      PORT: `${port}`,
      DATA_DIR: dataFolder,
      HOST: '127.0.0.1',
      DATABASE_URL: '',
      // Without APP_URL the instance is reachable on this machine only, and only then does it have the demo account, as which the drill
      // acts.
      APP_URL: '',
    }
    const out = fs.openSync(path.join(dataFolder, 'up.log'), 'a')
    const child = spawn(process.execPath, ['scripts/up.ts'], {
      cwd: ROOT,
      env: given,
      // The IPC channel closes with this process, so the instance stops even if this process is killed.
      stdio: ['ignore', 'pipe', out, 'ipc'],
    })
    fs.closeSync(out)
    supervisor = child
    await new Promise<void>((resolve, reject) => {
      let said = ''
      child.stdout?.on('data', (data: Buffer) => {
        said += data
        fs.appendFileSync(path.join(dataFolder, 'up.log'), data)
        if (/^Ready: /m.test(said)) resolve()
      })
      child.once('exit', (code) => reject(new Error(`The instance did not start (exit ${code}):\n${said}`)))
    })
  }

  /** SIGKILL to all at once: no process can shut down cleanly. */
  function kill(victim: Victim): Kill {
    const before = run()
    const everything = [supervisor?.pid, ...Object.values(before?.children ?? {}).map((child) => child.pid)]
    const pids =
      victim === 'all'
        ? [...everything, postgresPid(dataFolder)]
        : [victim === 'database' ? postgresPid(dataFolder) : before?.children[victim]?.pid]
    const alive = pids.flatMap((pid) => (pid && inspectProcess(pid) ? [pid] : []))
    const at = new Date()
    for (const pid of alive) process.kill(pid, 'SIGKILL')
    return { victim, at, pids: alive }
  }

  /** Resolves when what was killed is back and the instance answers; only after `all` must it be started again. */
  async function back({ victim, pids }: Kill): Promise<void> {
    for (const pid of pids) await waitForExit(pid, 10_000)
    if (victim === 'all') return start()
    await until(`${victim} to be back`, async () => {
      const pid = victim === 'database' ? postgresPid(dataFolder) : run()?.children[victim]?.pid
      const isNew = pid !== undefined && !pids.includes(pid) && inspectProcess(pid) !== null
      return isNew && (await answers(`http://127.0.0.1:${port}/api/v1/health`))
    })
  }

  /** Asks the instance to stop, as a user does, and returns its exit status; null where it was killed before. */
  async function stop(): Promise<number | null> {
    if (!supervisor?.pid || supervisor.exitCode !== null || supervisor.signalCode !== null) return null
    const ended = once(supervisor, 'exit')
    supervisor.kill('SIGTERM')
    const [status] = await ended
    return status
  }

  return { start, kill, back, stop, run }
}

export type Kill = { victim: Victim; at: Date; pids: number[] }

/** Polls until the condition holds; throws with `what` when it never does. */
export async function until(what: string, isSo: () => Promise<boolean> | boolean, limitMs = 300_000) {
  for (const deadline = Date.now() + limitMs; Date.now() < deadline; ) {
    if (await isSo()) return
    await pause(100)
  }
  throw new Error(`Waited ${limitMs / 1000} s in vain for ${what}.`)
}

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

function postgresPid(dataFolder: string): number | undefined {
  const { home } = JSON.parse(fs.readFileSync(path.join(dataFolder, 'postgres.json'), 'utf8'))
  const file = path.join(home, 'cluster/postmaster.pid')
  return fs.existsSync(file) ? Number(fs.readFileSync(file, 'utf8').split('\n')[0]) : undefined
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(5_000) })).ok
  } catch {
    return false
  }
}
