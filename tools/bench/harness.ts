import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'
import { createInterface } from 'node:readline'
import v8 from 'node:v8'
import { runInNewContext } from 'node:vm'

/** One measurement. The goal is about `ratio`; absolute numbers depend on the machine. */
export type Line = {
  what: string
  ours: string
  /** The peer or limit that it is compared with. */
  against: string
  ratio: string
  goal: string
  /** Null if there is no goal. */
  met: boolean | null
}

/** Reports the result lines of a part, one JSON object each on stdout. */
export function report(line: Line): void {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}

/** Prints progress for people. */
export function printNote(text: string): void {
  process.stderr.write(`  ${text}\n`)
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

/** The quantile p, by nearest rank. */
export function quantile(values: readonly number[], p: number): number {
  const sorted = [...values].sort((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(p * sorted.length))] ?? Number.NaN
}

export const oneDecimal = (value: number) => value.toFixed(1)
export const megabytes = (bytes: number) => Math.round(bytes / 1024 / 1024)

/** The duration of `work` in milliseconds, and its result. */
export async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; result: T }> {
  const started = performance.now()
  const result = await work()
  return { ms: performance.now() - started, result }
}

/** How often each side is measured; the sides take turns, and the medians are compared. */
export const RUNS = Number(process.env.BENCH_RUNS ?? 5)

/** Starts a file of this folder in a child process that ends with this one; `env` is its input. */
function start(file: string, env: Record<string, string> = {}, flags: string[] = []): ChildProcess {
  const guard = new URL('../../scripts/up/die-with-parent.mjs', import.meta.url).href
  return spawn(process.execPath, ['--import', guard, ...flags, path.join(import.meta.dirname, file)], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
}

/** Runs a worker to its end; it returns one line of JSON. */
export async function runWorker<T>(
  file: string,
  env: Record<string, string> = {},
  flags: string[] = [],
): Promise<T> {
  const child = start(file, env, flags)
  let last = ''
  if (child.stdout) for await (const line of createInterface({ input: child.stdout })) last = line
  const code = child.exitCode ?? (await new Promise((resolve) => child.once('exit', resolve)))
  if (code !== 0) throw new Error(`${file} ended with ${code}`)
  return JSON.parse(last) as T
}

/**
 * Starts a server of this folder, which prints its address as one line of JSON. A server that counts reports on request, see
 * `answerCounts`.
 */
export async function startServer<T>(file: string, env: Record<string, string> = {}) {
  const child = start(file, env)
  const where = await new Promise<T>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${file} ended with ${code}`)))
    if (child.stdout)
      createInterface({ input: child.stdout }).once('line', (line) => resolve(JSON.parse(line)))
  })
  const ask = () =>
    new Promise<string>((resolve) => {
      child.once('message', (answer) => resolve(String(answer)))
      child.send('counts')
    })
  return { where, ask, stop: () => child.kill() }
}

/** For such a server: reports its counts as JSON whenever its parent asks. */
export function answerCounts(count: () => object): void {
  process.on('message', () => process.send?.(JSON.stringify(count())))
}

/** The peak memory of this process in MB: Linux and macOS use different units. */
export function peakMemoryMb(): number {
  const { maxRSS } = process.resourceUsage()
  return Math.round(maxRSS / 1024)
}

/** The live heap of this process after garbage collection, in MB with one decimal. */
export function liveMemoryMb(): number {
  v8.setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  collect()
  return Math.round(process.memoryUsage().heapUsed / 1e5) / 10
}
