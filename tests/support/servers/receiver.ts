import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'

export type Received = { path: string; headers: Record<string, string>; body: string }

type Answer = (received: Received, response: ServerResponse) => void

/** A customer's own server: records what it gets, and answers 204 unless told otherwise. */
export async function receiver(answer: Answer = (_, response) => void response.writeHead(204).end()) {
  const received: Received[] = []
  const server = createServer((request, response) => {
    void read(request).then((body) => {
      const one = { path: request.url ?? '', headers: request.headers as Record<string, string>, body }
      received.push(one)
      answer(one, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    received,
    /** Verifies a delivery as the receiver would: throws where the signature is wrong. */
    verified: (secret: string, one: Received) => new Webhook(secret).verify(one.body, one.headers),
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

async function read(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const part of request) body += String(part)
  return body
}
