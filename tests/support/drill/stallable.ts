import { connect, createServer, type Socket } from 'node:net'

/** A way to a Postgres on which nothing moves while it stalls: as a network that loses every packet looks from both ends. */
export async function stallableWay(databaseUrl: string) {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let isStalled = false
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      if (isStalled) socket.pause()
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
    client.on('data', (data) => upstream.write(data))
    upstream.on('data', (data) => client.write(data))
    // Listening to data would set it going.
    if (isStalled) for (const socket of [client, upstream]) socket.pause()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const url = new URL(databaseUrl)
  url.port = `${typeof address === 'object' && address ? address.port : 0}`
  return {
    url: url.href,
    stall() {
      isStalled = true
      for (const socket of sockets) socket.pause()
    },
    flow() {
      isStalled = false
      for (const socket of sockets) socket.resume()
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
