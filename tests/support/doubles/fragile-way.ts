import { connect, createServer, type Socket } from 'node:net'

/**
 * A proxy to Postgres that a test can cut and restore, as a restart of the server looks to its clients, and stall, as a network
 * that loses every packet looks from both ends.
 */
export async function fragileWay(databaseUrl: string) {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let isCut = false
  let isStalled = false
  let cutAtCommit = false
  const server = createServer((client) => {
    if (isCut) return void client.destroy()
    const upstream = connect(Number(target.port), target.hostname)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        upstream.end()
      })
    }
    client.on('data', (data) => {
      upstream.write(data)
      // The server gets the commit, and its answer never arrives.
      if (cutAtCommit && data.includes('COMMIT')) {
        cutAtCommit = false
        client.destroy()
      }
    })
    upstream.on('data', (data) => client.write(data))
    // Attaching a data listener would make the socket flow again.
    if (isStalled) for (const socket of [client, upstream]) socket.pause()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const url = new URL(databaseUrl)
  url.port = `${typeof address === 'object' && address ? address.port : 0}`
  return {
    url: url.href,
    cut() {
      isCut = true
      for (const socket of sockets) socket.destroy()
    },
    restore() {
      isCut = false
    },
    stall() {
      isStalled = true
      for (const socket of sockets) socket.pause()
    },
    flow() {
      isStalled = false
      for (const socket of sockets) socket.resume()
    },
    /** The next commit is carried out, but its answer is lost. */
    loseNextCommit() {
      cutAtCommit = true
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
