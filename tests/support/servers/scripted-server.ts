import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

type Reply = {
  status?: number
  headers?: Record<string, string>
  body?: unknown
  hangUp?: true
  never?: true
}
export type Heard = { method: string; url: string; headers: IncomingMessage['headers']; body: string }

/** A real HTTP server that gives one scripted reply per request, and repeats the last one. */
export async function scriptedServer(replies: Reply[]) {
  const heard: Heard[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const reply = replies[Math.min(heard.length, replies.length - 1)] ?? {}
    const body = Buffer.concat(chunks).toString('latin1')
    heard.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body })
    if (reply.hangUp) return request.socket.destroy()
    if (reply.never) return
    const isText = typeof reply.body === 'string'
    response.writeHead(reply.status ?? 200, {
      'content-type': isText ? 'text/plain' : 'application/json',
      ...reply.headers,
    })
    response.end(reply.body === undefined ? '' : isText ? reply.body : JSON.stringify(reply.body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, heard, close }
}
