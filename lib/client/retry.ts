/** Attempts for a request that keeps failing with 5xx, including the first. */
const MOST_ATTEMPTS = 5
const FIRST_BACKOFF_MS = 500
const LONGEST_BACKOFF_MS = 20_000

/** Randomness and time, replaced in tests. */
export type Chance = {
  /** In the range [0, 1). */
  random: () => number
  /** Resolves after that many milliseconds; rejects as soon as the signal is aborted. */
  wait: (ms: number, signal: AbortSignal | undefined) => Promise<void>
}

export function waitFor(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}

/** Seconds, or an HTTP date as a proxy may write it (RFC 9110, section 10.2.3); one second without a valid header. */
function retryAfterMs(response: Response): number {
  const given = response.headers.get('retry-after')?.trim() ?? ''
  if (/^\d+$/.test(given)) return Number(given) * 1_000
  const date = Date.parse(given)
  const now = Date.parse(response.headers.get('date') ?? '')
  return Number.isNaN(date - now) ? 1_000 : Math.max(0, date - now)
}

/** Between half of the step and the whole step, so that callers that failed together do not retry together. */
function backoffMs(attempt: number, random: number): number {
  const step = Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (attempt - 1))
  return step / 2 + (step / 2) * random
}

type Rules<A> = {
  /** One attempt. */
  send: () => Promise<Response>
  /** Looks up what a change that failed with a 5xx may have done after all; if absent, the change is not repeated. */
  find: (() => Promise<A | null | undefined>) | undefined
  signal: AbortSignal | undefined
}

/**
 * The retry rules of the API: a 429 waits for `Retry-After` and repeats, without a limit; a 5xx repeats with exponential
 * backoff, five attempts in all; any other response is final. Returns the last response, or what `find` found.
 */
export async function withRetries<A>(
  { send, find, signal }: Rules<A>,
  { random, wait }: Chance,
): Promise<{ response: Response } | { earlier: A }> {
  for (let attempt = 1; ; ) {
    const response = await send()
    const isOver = response.status < 500 || attempt === MOST_ATTEMPTS || !find
    if (response.status !== 429 && isOver) return { response }
    await response.body?.cancel()
    if (response.status === 429) {
      await wait(retryAfterMs(response), signal)
      continue
    }
    await wait(backoffMs(attempt, random()), signal)
    attempt += 1
    const earlier = await find?.()
    if (earlier !== null && earlier !== undefined) return { earlier }
  }
}
