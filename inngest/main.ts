// The worker process: `node inngest/main.ts` runs the background functions on HOST and PORT, without pages or API.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { answerEngine } from '#inngest/door'
import { endOnSignal } from '#inngest/end-on-signal'
import { log } from '#lib/http/log'
import { senderNamer } from '#lib/http/peer'
import { healthRoute, metricsRoute } from '#lib/http/watched'
import { allowIdling } from '#lib/services/inbox/idling/process'
import { askForSweep } from '#lib/services/instance/first-sweep'
import { openKeys } from '#lib/services/instance/open-keys'
import { startTracing } from '#lib/tracing'

const hostname = process.env.HOST ?? '127.0.0.1'
const port = Number(process.env.PORT ?? 3000)

await openKeys()
await startTracing()
const nameSender = senderNamer(process.env.TRUSTED_PROXIES)

const listener = (answer: (request: Request) => Promise<Response>) =>
  getRequestListener(answer, { hostname, overrideGlobalObjects: false })

const served: Record<string, (request: IncomingMessage, response: ServerResponse) => unknown> = {
  '/api/inngest': answerEngine,
  '/api/v1/health': listener(healthRoute),
  '/metrics': listener(metricsRoute),
}

const nothing = (_: IncomingMessage, response: ServerResponse) =>
  response.writeHead(404, { 'content-type': 'application/json' }).end('{"detail":"Not Found"}')

const server = createServer((request, response) => {
  nameSender(request)
  const path = request.url?.split('?', 1)[0] ?? ''
  const answer = served[path] ?? nothing
  answer(request, response)
})
server.listen(port, hostname, () => {
  log().info({ hostname, port }, 'worker listens')
  allowIdling()
  askForSweep()
})

endOnSignal(server)
