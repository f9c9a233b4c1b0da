// Loaded into each process: after work followed by a quiet period, it releases memory that is no longer needed. V8 collects only
// when objects are allocated, so garbage of a start or an import would stay as long as nothing happens.
import { flushCompileCache } from 'node:module'
import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const LOOK_MS = 30_000
/** How much work is worth a collection, and which share of an interval counts as idle. */
const WORKED_MS = 300
const QUIET = 0.01

let worked = 0
let last = performance.eventLoopUtilization()

setInterval(look, LOOK_MS).unref()

function look() {
  const now = performance.eventLoopUtilization()
  const { active, utilization } = performance.eventLoopUtilization(now, last)
  last = now
  // The small activity that never stops needs no collection.
  if (utilization > QUIET) worked += active
  if (worked < WORKED_MS || utilization > QUIET) return
  worked = 0
  // Node keeps its compile cache in memory until it is written.
  flushCompileCache()
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  // The collection itself does not count as work.
  last = performance.eventLoopUtilization()
}
