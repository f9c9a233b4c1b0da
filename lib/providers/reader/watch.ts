import { workerData } from 'node:worker_threads'

/**
 * Beside the thread that reads, which may be deaf for as long as an expression runs: ends the process when it takes too
 * much memory or time, and when its parent is gone. By signals that tell the parent which of them it was.
 */
const { state, parent } = workerData as { state: Int32Array<SharedArrayBuffer>; parent: number }
const BUSY_MS = 50
const IDLE_MS = 1_000

for (;;) {
  const [busy = 0, memoryMb = 0, cpuMs = 0] = state
  Atomics.wait(state, 0, busy, busy ? BUSY_MS : IDLE_MS)
  if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL')
  if (Atomics.load(state, 0) === 0) continue
  if (process.memoryUsage.rss() > memoryMb * 1_000_000) process.kill(process.pid, 'SIGUSR2')
  const { user, system } = process.cpuUsage()
  if (cpuMs > 0 && (user + system) / 1_000 > cpuMs) process.kill(process.pid, 'SIGVTALRM')
}
