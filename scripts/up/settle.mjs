// Loaded into each process: once it has worked and then done nothing for a while, it gives back memory that it no longer
// needs. V8 clears up when objects are made, so what a start or an import left would stay for as long as nothing happens.
import { flushCompileCache } from 'node:module'
import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const LOOK_MS = 30_000
/** Work worth clearing up after, and how little of a look's time counts as nothing. */
const WORKED_MS = 300
const QUIET = 0.01

let worked = 0
let last = performance.eventLoopUtilization()

setInterval(look, LOOK_MS).unref()

function look() {
  const now = performance.eventLoopUtilization()
  const { active, utilization } = performance.eventLoopUtilization(now, last)
  last = now
  // The little that goes on for ever is no work to clear up after.
  if (utilization > QUIET) worked += active
  if (worked < WORKED_MS || utilization > QUIET) return
  worked = 0
  // What Node read of it is kept in memory until it is written.
  flushCompileCache()
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  // The clearing was no work.
  last = performance.eventLoopUtilization()
}
