/**
 * SQLSTATEs of a server that shuts down, starts up, or has no connections, memory or disk space left: 57P0x, class 08, class 53,
 * and 58030 if the disk refuses.
 */
const SERVER_AWAY = /^(57P0[1-5]|08...|53...|58030)$/
const NETWORK_AWAY = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'])
/** The driver's messages that have no code. */
const DRIVER_SAYS = /connection (terminated|ended)|connection error|timeout exceeded when trying to connect/i

/** Whether an error means that the database was unreachable or cannot write for now, rather than that it refused the statement. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  return SERVER_AWAY.test(code) || NETWORK_AWAY.has(code) || DRIVER_SAYS.test(error.message)
}

/** Repeats `work` while the database is unreachable, for at most `limitMs`. `work` must be safe to repeat. */
export async function retryDuringOutage<T>(work: () => Promise<T>, limitMs: number): Promise<T> {
  const deadline = performance.now() + limitMs
  for (let waitMs = 100; ; waitMs = Math.min(waitMs * 2, 2_000)) {
    try {
      return await work()
    } catch (error) {
      if (!isOutage(error) || performance.now() + waitMs > deadline) throw error
      await new Promise((resolve) => setTimeout(resolve, waitMs))
    }
  }
}
