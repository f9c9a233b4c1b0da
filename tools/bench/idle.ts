import { spawn } from 'node:child_process'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '#lib/db/free-port'
import { removeThrowaway, throwawayFolder } from '#tests/support/files/throwaway'
import { LASTING } from '../../scripts/lasting.mjs'
import { printNote, report } from './harness.ts'
import { descendants, type Process, sum } from './instance/processes.ts'

const SECONDS = Number(process.env.BENCH_IDLE_SECONDS ?? 60)
const GOAL = { percent: 0.2, mb: 280 }
const ROOT = path.resolve(import.meta.dirname, '../..')
if (process.platform !== 'linux') {
  printNote('only measured where /proc is')
  process.exit(0)
}
const folder = throwawayFolder()
const port = await freePort()
const env: NodeJS.ProcessEnv = { ...LASTING, ...process.env, DATA_DIR: folder, PORT: `${port}` }
// As at a first start: its own database, addresses and secrets.
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
  // The work of the start is done after two sweeps.
  await sleep(Math.min(SECONDS, 120) * 1_000)
  const before = new Map(descendants(up.pid ?? 0).map((one) => [one.pid, one.cpu_s]))
  printNote(`idle for ${SECONDS} s`)
  await sleep(SECONDS * 1_000)
  const after = descendants(up.pid ?? 0)
  const used = (one: Process) => one.cpu_s - (before.get(one.pid) ?? 0)
  for (const name of [...new Set(after.map((one) => one.name)), null]) {
    const part = after.filter((one) => name === null || one.name === name)
    const percent = (100 * sum(part, used)) / SECONDS
    const mb = sum(part, (one) => one.memory_mb)
    const isWhole = name === null
    report({
      what: isWhole ? `All of it, idle for ${SECONDS} s` : `Idle: ${name}`,
      ours: `${percent.toFixed(2)} % of one core, ${Math.round(mb)} MB`,
      against: isWhole ? `${GOAL.percent} %, ${GOAL.mb} MB` : '',
      ratio: isWhole ? (mb / GOAL.mb).toFixed(2) : '',
      goal: isWhole ? '≤ 1.0' : '',
      met: isWhole ? percent <= GOAL.percent && mb <= GOAL.mb : null,
    })
  }
} finally {
  up.kill('SIGTERM')
  await exited
  removeThrowaway(folder)
}
