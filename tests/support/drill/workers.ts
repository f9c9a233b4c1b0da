import { type ChildProcess, spawn } from 'node:child_process'
import * as fs from 'node:fs'
import path from 'node:path'
import { ROOT } from '#scripts/up/settings'
import type { Random } from '#tests/support/drill/random'

/** Workers besides the web server's own; they are killed like everything else and started again by `start`. */
export function drillWorkers(count: number, dataFolder: string, environment: () => Record<string, string>) {
  let alive: ChildProcess[] = []

  function start() {
    alive = alive.filter((child) => child.exitCode === null && child.signalCode === null)
    while (alive.length < count) {
      const out = fs.openSync(path.join(dataFolder, 'workers.log'), 'a')
      const env = { ...process.env, ...environment(), ALLOW_PRIVATE_HOSTS: '1' }
      const child = spawn(process.execPath, ['tests/support/drill/worker.ts'], {
        cwd: ROOT,
        env,
        stdio: ['ignore', out, out, 'ipc'],
      })
      fs.closeSync(out)
      alive.push(child)
    }
  }

  /** Kills one at random, or all. */
  function kill(random: Random | 'all') {
    const chosen = random === 'all' ? alive : alive.slice(random.between(0, alive.length - 1)).slice(0, 1)
    for (const child of chosen) child.kill('SIGKILL')
  }

  async function stop() {
    const ended = alive.map((child) =>
      child.exitCode === null && child.signalCode === null
        ? new Promise((resolve) => child.once('exit', resolve))
        : undefined,
    )
    kill('all')
    await Promise.all(ended)
  }

  return { start, kill, stop }
}
