import { performance } from 'node:perf_hooks'

/** Asked again and again, it says which part of the time since then this process computed, 0 to 1. */
export function createMeter(): () => number {
  let last = performance.eventLoopUtilization()
  return () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, last)
    last = now
    return utilization
  }
}
