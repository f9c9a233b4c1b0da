import { Session } from 'node:inspector'
import { pathToFileURL } from 'node:url'
import { ROOT } from '#scripts/up/settings'

/** The code whose coverage guides a run: our own, and the packages that parse for it. */
const OURS = pathToFileURL(`${ROOT}/lib/`).href
const READERS = [
  'liquidjs',
  'mailparser',
  '@e965/xlsx',
  'xlsx',
  'parse5',
  '@simplewebauthn/server',
  '@levischuck/tiny-cbor',
].map((name) => `/node_modules/${name}/`)
const isWatched = (url: string) => url.startsWith(OURS) || READERS.some((folder) => url.includes(folder))

type Taken = {
  result: {
    url: string
    functions: { ranges: { startOffset: number; endOffset: number; count: number }[] }[]
  }[]
}

/**
 * V8's coverage counts of the code in this thread: without an addon or instrumented code. Counts are compared in steps: a loop
 * with a hundred rounds is news, one more round is not.
 */
export function watchCoverage() {
  const session = new Session()
  session.connect()
  const post = (method: string, params: object = {}): unknown => {
    let answer: unknown
    // The inspector of the current thread answers before the call returns.
    session.post(method, params, (error, result) => {
      if (error) throw error
      answer = result
    })
    return answer
  }
  post('Profiler.enable')
  post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  const known = new Set<string>()

  /** How much of the code that ran since the last call had never run before. */
  function news(): number {
    const before = known.size
    for (const { url, functions } of (post('Profiler.takePreciseCoverage') as Taken).result) {
      if (!isWatched(url)) continue
      for (const { ranges } of functions)
        for (const { startOffset, endOffset, count } of ranges)
          known.add(`${url}:${startOffset}-${endOffset}:${count === 0 ? 0 : 32 - Math.clz32(count)}`)
    }
    return known.size - before
  }
  return { news, size: () => known.size, end: () => session.disconnect() }
}
