// npm run fuzz -- [--minutes 10] [--target NAME[,NAME]] [--seed TEXT] [--replay FILE]: mutates inputs for every parser of
// untrusted text, guided by coverage. Each finding is a file and the command that reproduces it; any finding fails the run.
import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { faultOf } from '#tests/support/fuzz/one-run'
import type { Finding } from '#tests/support/fuzz/search'
import { FUZZ_ENV, TARGETS, targetNamed } from '#tests/support/fuzz/targets'
import type { Job, Said } from './fuzz/worker.ts'

Object.assign(process.env, FUZZ_ENV)

/** Wall-clock limit of one input; a third of it for inputs that the reader's process would end. */
const HUNG_MS = 60_000
const MEMORY_MB = 1_024
const MOST_BYTES = 256 * 1024

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    target: { type: 'string', default: Object.keys(TARGETS).join() },
    seed: { type: 'string', default: String(Date.now()) },
    replay: { type: 'string' },
  },
})
const names = values.target.split(',')
const unknown = names.filter((name) => !(name in TARGETS))
const minutes = Number(values.minutes)
if (unknown.length > 0 || !(minutes > 0)) {
  console.error(`Targets are ${Object.keys(TARGETS).join(', ')}; minutes are more than none.`)
  process.exit(1)
}
process.exit(values.replay ? await replayed(values.replay) : await searched())

async function replayed(file: string): Promise<number> {
  const fault = await faultOf(await targetNamed(names[0] ?? ''), new Uint8Array(fs.readFileSync(file)))
  console.log(fault ? `${fault.kind}: ${fault.details}` : 'It holds.')
  return fault ? 1 : 0
}

async function searched(): Promise<number> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'opener-fuzz-'))
  const ms = (minutes * 60_000) / names.length
  let faults = 0
  console.log(`Seed ${values.seed}; ${Math.round(ms / 1_000)} s for each of ${names.length} targets.`)
  for (const name of names)
    faults += await searchedOne(name, ms, (finding) => {
      const hash = createHash('sha256').update(finding.input).digest('hex').slice(0, 12)
      const file = path.join(folder, `${name}-${hash}`)
      fs.writeFileSync(file, finding.input)
      console.log(`${name}, ${finding.kind}: ${inShort(finding.details)}`)
      console.log(`  npm run fuzz -- --target ${name} --replay ${file}`)
    })
  if (faults === 0) fs.rmSync(folder, { recursive: true })
  console.log(`${faults} findings.`)
  return faults === 0 ? 0 : 1
}

/** Fuzzes one target in a thread until its time is up; restarts the thread if an input stops it. */
async function searchedOne(name: string, ms: number, onFinding: (finding: Finding) => void): Promise<number> {
  const until = performance.now() + ms
  const { is_contained = false } = await targetNamed(name)
  let contained = 0
  const told = new Set<string>()
  const tell = (finding: Finding) => {
    if (is_contained && ['hung', 'memory'].includes(finding.kind)) {
      contained += 1
      return
    }
    if (told.has(finding.what)) return
    told.add(finding.what)
    onFinding(finding)
  }
  for (let round = 0; performance.now() < until; round++) {
    const job = { target: name, seed: `${values.seed} ${round}`, ms: until - performance.now() }
    if (await ended(job, tell, is_contained ? HUNG_MS / 3 : HUNG_MS)) break
  }
  if (contained > 0)
    console.log(`${name}: ${contained} inputs would have been ended by the limits of the reader`)
  return told.size
}

/** True if the thread ended by itself; false if it was stopped during an input. */
function ended(job: Omit<Job, 'state'>, tell: (finding: Finding) => void, hung_ms: number): Promise<boolean> {
  const state = new SharedArrayBuffer(8 + MOST_BYTES)
  const counters = new Int32Array(state, 0, 2)
  const inHand = () => new Uint8Array(state, 8).slice(0, Math.min(MOST_BYTES, counters[1] ?? 0))
  const worker = new Worker(new URL('./fuzz/worker.ts', import.meta.url), {
    workerData: { ...job, state } satisfies Job,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  })
  let seen = { run: 0, at: performance.now() }
  let isDone = false
  const stop = (kind: 'hung' | 'memory' | 'threw', details: string) => {
    if (!isDone) tell({ kind, what: `${kind} ${details}`.slice(0, 100), details, input: inHand() })
    isDone = true
    void worker.terminate()
  }
  const clock = setInterval(() => {
    const run = Atomics.load(counters, 0)
    if (run !== seen.run || run === 0) seen = { run, at: performance.now() }
    else if (performance.now() - seen.at > hung_ms) stop('hung', `longer than ${hung_ms / 1_000} s`)
  }, 1_000)
  return new Promise((resolve) => {
    let hasEnded = false
    worker.on('message', (said: Said) => {
      if ('finding' in said) return tell(said.finding)
      hasEnded = true
      console.log(`${job.target}: ${said.runs} inputs, ${said.kept} kept, ${said.reached} places reached`)
    })
    worker.on('error', (error: NodeJS.ErrnoException) =>
      stop(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'threw', error.stack ?? error.message),
    )
    worker.on('exit', () => {
      clearInterval(clock)
      resolve(hasEnded)
    })
  })
}

function inShort(details: string): string {
  return details
    .split('\n', 4)
    .map((line) => line.slice(0, 200))
    .join('\n')
}
