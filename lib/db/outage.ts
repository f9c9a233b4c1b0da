/** SQLSTATEs of a server that goes down, comes up or has no connection left: 57P0x, class 08, 53300. */
const SERVER_AWAY = /^(57P0[1-5]|08...|53300)$/
const NETWORK_AWAY = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'])
/** What the driver says without a code. */
const DRIVER_SAYS = /connection (terminated|ended)|connection error|timeout exceeded when trying to connect/i

/** Whether an error says that the database is away or the connection to it was lost, rather than that it refused. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  return SERVER_AWAY.test(code) || NETWORK_AWAY.has(code) || DRIVER_SAYS.test(error.message)
}

/** Does `work` again while the database is away, for at most `limitMs`. It must bear being done twice. */
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
