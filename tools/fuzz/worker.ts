// One target in its own thread, so that an input that never ends can be stopped and identified.
import { parentPort, workerData } from 'node:worker_threads'
import { seededNumbers } from '#lib/domain/messages/seed'
import { type Finding, search } from '#tests/support/fuzz/search'
import { targetNamed } from '#tests/support/fuzz/targets'
import { watchCoverage } from './coverage.ts'

export type Job = {
  target: string
  seed: string
  ms: number
  /** The number of the run, the length of its input, then the input. */
  state: SharedArrayBuffer
}
export type Said = { finding: Finding } | { runs: number; kept: number; reached: number }

const { target: name, seed, ms, state } = workerData as Job
const target = await targetNamed(name)
const counters = new Int32Array(state, 0, 2)
const place = new Uint8Array(state, 8)
const coverage = watchCoverage()
const until = performance.now() + ms
const post = (said: Said) => parentPort?.postMessage(said)

const { runs, kept } = await search({
  target,
  lots: seededNumbers(seed),
  news: coverage.news,
  isOver: () => performance.now() > until,
  about(input) {
    place.set(input.subarray(0, place.length))
    Atomics.store(counters, 1, input.length)
    Atomics.add(counters, 0, 1)
  },
  onFinding: (finding) => post({ finding }),
})
post({ runs, kept, reached: coverage.size() })
coverage.end()
