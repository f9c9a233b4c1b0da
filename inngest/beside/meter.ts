import { performance } from 'node:perf_hooks'

/** Returns a function that tells, from 0 to 1, how much of the time since its last call this process spent computing. */
export function createMeter(): () => number {
  let last = performance.eventLoopUtilization()
  return () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, last)
    last = now
    return utilization
  }
}
