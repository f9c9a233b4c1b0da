import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Asked = { url: string; headers: IncomingMessage['headers']; body: Record<string, unknown> }
export type Answering = (asked: Asked, response: ServerResponse) => void | Promise<void>

/** A local server that speaks a model provider's wire format as far as each test scripts it, and records the requests. */
export async function startAiServer(answer: Answering) {
  const asked: Asked[] = []
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const one = {
      url: request.url ?? '',
      headers: request.headers,
      body: JSON.parse(Buffer.concat(parts).toString() || '{}'),
    }
    asked.push(one)
    await answer(one, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    asked,
    stop: () => {
      server.closeAllConnections()
      return new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

export const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Answering =>
  (_, response) =>
    void response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(typeof body === 'string' ? body : JSON.stringify(body))

/** Server-sent events; a string is sent as it is. */
export const events =
  (parts: (object | string)[], named = false): Answering =>
  (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const part of parts) {
      if (typeof part === 'string') response.write(part)
      else
        response.write(
          `${named && 'type' in part ? `event: ${part.type}\n` : ''}data: ${JSON.stringify(part)}\n\n`,
        )
    }
    response.end()
  }

/** A chat completion in OpenAI's format. */
export const completion = (message: object, finish_reason = 'stop') => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'test-model',
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason }],
  usage: { prompt_tokens: 12, completion_tokens: 7, total_tokens: 19 },
})

export const chunk = (delta: object, finish_reason: string | null = null) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'test-model',
  choices: [{ index: 0, delta, finish_reason }],
})
