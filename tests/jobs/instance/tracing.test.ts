import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ReadHealth } from '#lib/contracts/meta'
import type { RunningEngine } from '#lib/engine/engine'
import { emit, inngest } from '#lib/events/client'
import { routes } from '#lib/http/route'
import { timedProvider } from '#lib/metrics'
import { operation } from '#lib/operations/operation'
import { readHealth } from '#lib/services/instance/health'
import { endTracing, startTracing, traced, traceparent } from '#lib/tracing'
import { type App, pointSdkAt, startApp, startTestEngine, until } from '#tests/support/engine'

type Span = {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  kind: number
  attributes: { key: string }[]
}

/** The spans that a collector gets: OTLP over HTTP, as JSON. */
const spans: Span[] = []
let heard = ''
const collector = createServer(async (request, response) => {
  let body = ''
  for await (const part of request) body += part
  heard += body
  const { resourceSpans } = JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }
  spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)))
  response.end('{}')
})

const address = 'someone@example.com'
let hasSent = false
const send = inngest.createFunction({ id: 'send-something', triggers: [{ event: 'due' }] }, () =>
  timedProvider('smtp', async () => {
    hasSent = true
  }),
)
/** An operation whose service makes something due; the address in its path and body must not be traced. */
const ask = routes(
  operation(ReadHealth, async ({ now }) => {
    await emit({ name: 'due', data: { address } })
    return readHealth(now)
  }),
)

let app: App
let engine: RunningEngine
beforeAll(async () => {
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
  app = await startApp(inngest, () => [send])
  pointSdkAt(1)
  engine = await startTestEngine(app.url)
})
afterAll(async () => {
  await engine.stop()
  await app.close()
  await new Promise((resolve) => collector.close(resolve))
})

const request = (headers: Record<string, string>) =>
  ask.GET(new Request(`http://x/api/v1/health?q=${address}`, { headers }), { params: Promise.resolve({}) })

test('without a collector nothing is loaded, traced or said', async () => {
  delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT
  await startTracing()
  expect(await traced('x', {}, async () => traceparent() ?? 'nothing')).toBe('nothing')
})

test('one trace leads from the request to the provider’s call, and says nothing of a person', async () => {
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
  await startTracing()
  const caller = { trace: 'a'.repeat(32), span: 'b'.repeat(16) }
  const { status } = await request({ traceparent: `00-${caller.trace}-${caller.span}-01` })
  expect(status).toBe(200)
  await until(() => hasSent, 'the function to run')
  await until(async () => {
    // The answer may still be on its way.
    await new Promise((resolve) => setTimeout(resolve, 100))
    return app.requests.length > 1
  }, 'its answer')
  await endTracing()

  const way = [
    'GET readHealth',
    'act readHealth',
    'service readHealth',
    'event',
    'run send-something',
    'smtp',
  ]
  const mine = spans.filter(({ traceId }) => traceId === caller.trace)
  expect(mine.map(({ name }) => name).toSorted()).toEqual(way.toSorted())
  const byName = new Map(mine.map((span) => [span.name, span]))
  const parents = way.map((name) => byName.get(name)?.parentSpanId)
  expect(parents).toEqual([caller.span, ...way.slice(0, -1).map((name) => byName.get(name)?.spanId)])
  expect(heard).not.toContain(address)
})
