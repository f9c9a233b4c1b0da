import { createServer } from 'node:net'

/** Whether a server could listen on `host`:`port`, and nothing listens on that port on all addresses already. */
export const portIsFree = async (port: number, host = '127.0.0.1'): Promise<boolean> =>
  (await whyNotFree(port, host)) === null

/** The error code if the port cannot be used; null if it is free. */
export async function whyNotFree(port: number, host: string): Promise<string | null> {
  for (const address of new Set([host, '0.0.0.0', '::'])) {
    const code = await refusal(port, address)
    if (code === 'EADDRINUSE' || (code !== '' && address === host)) return code
  }
  return null
}

/**
 * Below the ports that systems use for outgoing connections and for servers that request any port (from 32768 on Linux, RFC 6335 from
 * 49152), so that no other process gets one of these by chance before its server listens. Above the ports that browsers refuse.
 */
const FIRST = 20_000
const PORTS = 12_000

// Processes that start one after the other begin their search at different ports.
let next = (process.pid * 61) % PORTS

/** A loopback port that was free a moment ago, and that this process has not returned before. */
export async function freePort(): Promise<number> {
  for (let tried = 0; tried < PORTS; tried++) {
    const port = FIRST + next
    next = (next + 1) % PORTS
    if (await portIsFree(port)) return port
  }
  throw new Error(`No free port on 127.0.0.1 from ${FIRST} to ${FIRST + PORTS - 1}.`)
}

/** The error code of listening on `host`:`port`; empty if it succeeds. */
function refusal(port: number, host: string): Promise<string> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen(port, host, () => server.close(() => resolve('')))
  })
}
