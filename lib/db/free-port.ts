import { createServer } from 'node:net'

/** Whether a server could listen on `host`:`port`, and nobody listens there on all addresses already. */
export async function portIsFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  for (const address of new Set([host, '0.0.0.0', '::'])) {
    const { code } = await listen(port, address)
    if (code === 'EADDRINUSE' || (code !== '' && address === host)) return false
  }
  return true
}

/** A port of loopback that was free a moment ago. */
export async function freePort(): Promise<number> {
  const { port, code } = await listen(0, '127.0.0.1')
  if (code) throw new Error(`No free port on 127.0.0.1 (${code}).`)
  return port
}

function listen(port: number, host: string): Promise<{ port: number; code: string }> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) =>
      resolve({ port, code: error.code ?? error.message }),
    )
    server.listen(port, host, () => {
      const address = server.address()
      const chosen = typeof address === 'object' && address ? address.port : port
      server.close(() => resolve({ port: chosen, code: '' }))
    })
  })
}
