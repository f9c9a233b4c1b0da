import { workerData } from 'node:worker_threads'

/**
 * Runs beside the reading thread, which may be blocked for as long as an expression runs: ends the process when it takes too
 * much memory or time, and when its parent is gone. The signal tells the parent the cause.
 */
// Always what serve.ts, the only creator of this thread, passes in.
const { state, parent } = workerData as { state: Int32Array<SharedArrayBuffer>; parent: number }
const BUSY_MS = 50
const IDLE_MS = 1_000

for (;;) {
  Atomics.wait(state, 0, Atomics.load(state, 0), Atomics.load(state, 0) === 0 ? IDLE_MS : BUSY_MS)
  if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL')
  // Read after waiting: the limits are those of the task that has begun meanwhile.
  const [busy = 0, memoryMb = 0, cpuMs = 0] = state
  if (busy === 0) continue
  const { user, system } = process.cpuUsage()
  const spentMs = (user + system) / 1_000
  const isOverMemory = process.memoryUsage.rss() > memoryMb * 1_000_000
  const isOverTime = cpuMs > 0 && spentMs > cpuMs
  // If the task ended meanwhile it was within its limits; the next task has others.
  if (Atomics.load(state, 0) !== busy) continue
  if (isOverMemory) process.kill(process.pid, 'SIGUSR2')
  if (isOverTime) process.kill(process.pid, 'SIGVTALRM')
}
