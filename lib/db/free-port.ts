import { createServer } from 'node:net'

/** `port` if nothing listens there on loopback, else null. Port 0 answers any free one. */
export function tryPort(port: number): Promise<number | null> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(null))
    server.listen(port, '127.0.0.1', () => {
      const address = server.address()
      const found = typeof address === 'object' && address ? address.port : port
      server.close(() => resolve(found))
    })
  })
}
