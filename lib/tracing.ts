import { AsyncLocalStorage } from 'node:async_hooks'
import type { Context, Span, Tracer } from '@opentelemetry/api'
import { processState } from '#lib/process-state'

type Api = typeof import('@opentelemetry/api')
type Tracing = { api: Api; tracer: Tracer; current: AsyncLocalStorage<Span>; end: () => Promise<void> }
type Kind = 'SERVER' | 'INTERNAL' | 'PRODUCER' | 'CONSUMER' | 'CLIENT'

/** Only our own ids and names: never text from users, an address, a path or an error message. */
type What = { kind?: Kind; parent?: string | null | undefined }

const kept = processState('tracing', (): { on?: Tracing } => ({}))

/**
 * Exports traces to OTEL_EXPORTER_OTLP_ENDPOINT; without it nothing is loaded. The provider is not registered globally: other
 * libraries, the web framework first of all, would record URLs in their spans, and some of our URLs are credentials.
 */
export async function startTracing(): Promise<void> {
  if (kept.on || !process.env.OTEL_EXPORTER_OTLP_ENDPOINT) return
  const [api, { BatchSpanProcessor, TracerProvider }, { OTLPTraceExporter }, { resourceFromAttributes }] =
    await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
    ])
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': process.env.OTEL_SERVICE_NAME || 'opener' }),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  })
  kept.on = {
    api,
    tracer: provider.getTracer('opener'),
    current: new AsyncLocalStorage(),
    end: () => provider.shutdown(),
  }
}

/** Sends the remaining spans; a process calls it once before it ends. */
export async function endTracing(): Promise<void> {
  await kept.on?.end().catch(() => undefined)
  delete kept.on
}

/** Runs `work` as one span, below the current one, or below `parent` (a traceparent) of another process. */
export async function traced<T>(name: string, what: What, work: () => Promise<T>): Promise<T> {
  const { on } = kept
  if (!on) return work()
  const { api, tracer, current } = on
  const options = { kind: api.SpanKind[what.kind ?? 'INTERNAL'] }
  const span = tracer.startSpan(name, options, contextBelow(on, what.parent))
  try {
    return await current.run(span, work)
  } catch (error) {
    span.setStatus({ code: api.SpanStatusCode.ERROR })
    span.setAttribute('error.type', error instanceof Error ? error.name : typeof error)
    throw error
  } finally {
    span.end()
  }
}

function contextBelow({ api, current }: Tracing, parent: string | null | undefined): Context {
  const [version, traceId = '', spanId = '', flags] = (parent ?? '').split('-')
  const remote = { traceId, spanId, traceFlags: flags === '01' ? 1 : 0, isRemote: true }
  if (version === '00' && api.isSpanContextValid(remote))
    return api.trace.setSpanContext(api.ROOT_CONTEXT, remote)
  const span = current.getStore()
  return span ? api.trace.setSpan(api.ROOT_CONTEXT, span) : api.ROOT_CONTEXT
}

/** The current position as a W3C Trace Context, for code that continues in another process; undefined without tracing. */
export function traceparent(): string | undefined {
  const span = kept.on?.current.getStore()?.spanContext()
  return span && `00-${span.traceId}-${span.spanId}-0${span.traceFlags & 1}`
}
