import { spawn } from 'node:child_process'
import * as fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '#lib/db/free-port'
import { removeThrowaway, throwawayFolder } from '#tests/support/throwaway'
import { note, report } from './harness.ts'

const SECONDS = Number(process.env.BENCH_IDLE_SECONDS ?? 60)
const ROOT = path.resolve(import.meta.dirname, '..')
const TICKS_PER_SECOND = 100

type Process = { pid: number; parent: number; name: string; cpu_s: number; memory_mb: number }

/** Every process of the machine. Memory is each one's share (PSS), so that what Postgres shares counts once. */
function processes(): Process[] {
  return fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = fs.readFileSync(`/proc/${name}/stat`, 'utf8')
        const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
        const shares = fs.readFileSync(`/proc/${name}/smaps_rollup`, 'utf8')
        const command = fs.readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ')
        return {
          pid: Number(name),
          parent: Number(fields[1]),
          name: nameOf(command),
          cpu_s: (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND,
          memory_mb: Number(/^Pss:\s+(\d+)/m.exec(shares)?.[1] ?? 0) / 1024,
        }
      } catch {
        // It ended while it was looked at.
        return []
      }
    })
}

function nameOf(command: string): string {
  if (command.includes('postgres')) return 'Postgres'
  if (command.includes('lib/engine/')) return 'engine'
  if (command.includes('sandbox-server')) return 'sandbox mail'
  return command.includes('next') ? 'web' : 'supervisor'
}

function descendants(root: number): Process[] {
  const all = processes()
  const found = all.filter((one) => one.pid === root)
  for (const one of found) found.push(...all.filter((other) => other.parent === one.pid))
  return found
}

const sum = (list: Process[], pick: (one: Process) => number) =>
  list.reduce((total, one) => total + pick(one), 0)

if (process.platform !== 'linux') {
  note('only measured where /proc is')
  process.exit(0)
}
const folder = throwawayFolder()
const port = await freePort()
const env: NodeJS.ProcessEnv = { ...process.env, DATA_DIR: folder, PORT: `${port}` }
// Everything as at first start: its own database, addresses and secrets.
for (const name of ['DATABASE_URL', 'DATABASE_POOL_SIZE', 'APP_URL', 'ENCRYPTION_KEY', 'ALLOW_PRIVATE_HOSTS'])
  delete env[name]
const up = spawn(process.execPath, ['scripts/up.ts'], { cwd: ROOT, env, stdio: 'ignore' })
const exited = new Promise<void>((resolve) => up.once('exit', () => resolve()))
try {
  for (let tries = 0; ; tries++) {
    const isUp = await fetch(`http://127.0.0.1:${port}/api/v1/health`).then(
      (response) => response.ok,
      () => false,
    )
    if (isUp) break
    if (tries > 600 || up.exitCode !== null) throw new Error('Opener does not start.')
    await sleep(1_000)
  }
  // The work of the start is over after two sweeps.
  await sleep(Math.min(SECONDS, 120) * 1_000)
  const before = new Map(descendants(up.pid ?? 0).map((one) => [one.pid, one.cpu_s]))
  note(`idle for ${SECONDS} s`)
  await sleep(SECONDS * 1_000)
  const after = descendants(up.pid ?? 0)
  const used = (one: Process) => one.cpu_s - (before.get(one.pid) ?? 0)
  for (const name of [...new Set(after.map((one) => one.name)), null]) {
    const part = after.filter((one) => name === null || one.name === name)
    report({
      what: name === null ? `All of it, idle for ${SECONDS} s` : `Idle: ${name}`,
      ours: `${((100 * sum(part, used)) / SECONDS).toFixed(2)} % of one core, ${Math.round(sum(part, (one) => one.memory_mb))} MB`,
      against: '',
      ratio: '',
      goal: '',
      met: null,
    })
  }
} finally {
  up.kill('SIGTERM')
  await exited
  removeThrowaway(folder)
}
