import { Session } from 'node:inspector'
import { pathToFileURL } from 'node:url'
import { ROOT } from '#scripts/up/settings'

/** What a run is led by: the code of the house, and the packages that read for it. */
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
 * What V8 counts of the code that ran in this thread: no addon, and no code made anew. How often counts in steps, as a
 * loop that goes round a hundred times is news and once more is none.
 */
export function watchCoverage() {
  const session = new Session()
  session.connect()
  const post = (method: string, params: object = {}): unknown => {
    let answer: unknown
    // The inspector of one's own thread answers before the call returns.
    session.post(method, params, (error, result) => {
      if (error) throw error
      answer = result
    })
    return answer
  }
  post('Profiler.enable')
  post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  const known = new Set<string>()

  /** How much of what ran since the last call had never been seen. */
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
