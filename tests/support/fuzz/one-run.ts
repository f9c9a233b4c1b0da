import type { Target } from '#tests/support/fuzz/target'

export type Fault = {
  kind: 'threw' | 'slow' | 'hung' | 'memory'
  /** Identifies the fault: where it was thrown, and its message. */
  what: string
  details: string
}

/** Limit in milliseconds for any input, and per byte of it: ten times what a reader takes on a slow machine. */
const AT_MOST_MS = 1_500
const PER_BYTE_MS = 0.02

function work(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** Runs one input and reports the promise that it breaks. */
export async function faultOf(target: Target, input: Uint8Array): Promise<Fault | null> {
  const before = work()
  try {
    await target.run(input)
  } catch (error) {
    return thrown(error)
  }
  const took = work() - before
  if (target.is_contained || took <= (target.slow_ms ?? AT_MOST_MS) + input.length * PER_BYTE_MS) return null
  return { kind: 'slow', what: 'slow', details: `${Math.round(took)} ms for ${input.length} bytes` }
}

function thrown(error: unknown): Fault {
  const details = error instanceof Error ? (error.stack ?? error.message) : String(error)
  const place = details.split('\n').find((line) => /^\s+at .*(lib|node_modules)\//.test(line)) ?? ''
  const words = (error instanceof Error ? error.message : details)
    .replace(/\d+|"[^"]*"|'[^']*'/g, '_')
    .slice(0, 60)
  return { kind: 'threw', what: `${words} ${place.replace(/^.*[/\\](.*?)\)?$/, '$1')}`.trim(), details }
}
