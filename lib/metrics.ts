import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client'
import { processState } from '#lib/process-state'
import { traced } from '#lib/tracing'

/** The counts of a process since its start, to be shown with those of another. */
export type Counts = MetricObjectWithValues<MetricValue<string>>[]

/** The metrics that this process counts itself. They start at zero, as Prometheus expects of counters. */
function makeMetrics() {
  const registry = new Registry()
  const registers = [registry]
  return {
    registry,
    requests: new Counter({
      name: 'opener_http_requests_total',
      help: 'Requests to the API and to MCP, by operation.',
      labelNames: ['operation', 'method', 'status'],
      registers,
    }),
    duration: new Histogram({
      name: 'opener_http_request_duration_seconds',
      help: 'From the arrival of a request to the headers of its answer.',
      labelNames: ['operation'],
      buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers,
    }),
    sends: new Counter({
      name: 'opener_sends_total',
      help: 'Outcomes of actions that were offered to a provider. An action that is tried again counts each time.',
      labelNames: ['channel', 'outcome'],
      registers,
    }),
    apart: new Counter({
      name: 'opener_mails_apart_total',
      help: 'Emails that could not be taken in together with those that were read with them, and were taken in one by one.',
      registers,
    }),
    provider: new Histogram({
      name: 'opener_provider_duration_seconds',
      help: 'How long a provider took to answer one call, whatever it said.',
      labelNames: ['provider'],
      buckets: [0.02, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers,
    }),
    /** The counts of helper processes, which are not scraped; and the sum over those that have ended. */
    beside: new Map<object, Counts>(),
    ended: Promise.resolve<Counts>([]),
    /** The process's default metrics are collected from the first scrape on. */
    watched: once(() => {
      const own = new Registry()
      collectDefaultMetrics({ register: own })
      return own
    }),
  }
}

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

const metrics = () => processState('metrics', makeMetrics)

/** `operation` is an operation's id, `mcp`, `metrics`, `openapi`, or `unknown`: never a path, whose number is unbounded. */
export function countRequest(
  { operation, method, status }: { operation: string; method: string; status: number },
  seconds: number,
): void {
  metrics().requests.inc({ operation, method, status })
  metrics().duration.observe({ operation }, seconds)
}

export function countSend(channel: string, outcome: string): void {
  metrics().sends.inc({ channel, outcome })
}

export function countApart(mails: number): void {
  metrics().apart.inc(mails)
}

type Provider = 'smtp' | 'imap' | 'webhook' | 'social' | 'model' | 'dns' | 'billing'

/** Runs one call to a provider and records its duration, also if it throws. */
export async function timedProvider<T>(provider: Provider, call: () => Promise<T>): Promise<T> {
  const started = performance.now()
  try {
    return await traced(provider, { kind: 'CLIENT' }, call)
  } finally {
    metrics().provider.observe({ provider }, (performance.now() - started) / 1000)
  }
}

/** Wraps a driver so that calls which return a promise are timed; everything else is unchanged. */
export function timed<T extends object>(provider: Provider, driver: T): T {
  return new Proxy(driver, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return (...given: unknown[]) => {
        const answer: unknown = Reflect.apply(value, target, given)
        return answer instanceof Promise ? timedProvider(provider, () => answer) : answer
      }
    },
  })
}

export const readCounts = (): Promise<Counts> => metrics().registry.getMetricsAsJSON()

/** `from` identifies a helper process, which reports all of its counts each time. */
export function takeCounts(from: object, counts: Counts): void {
  metrics().beside.set(from, counts)
}

/** The process has ended; its counts are kept, because a counter never falls. */
export function takeLastCounts(from: object): void {
  const kept = metrics()
  const last = kept.beside.get(from)
  if (!last) return
  kept.beside.delete(from)
  kept.ended = kept.ended.then((ended) => AggregatorRegistry.aggregate([ended, last]).getMetricsAsJSON())
}

/** One measurement shared by all processes. Null, meaning unknown, is left out. */
export type Reading = { name: string; help: string; value: number | null; labels?: Record<string, string> }

/** The text for Prometheus: the counts of this process, and the current readings. */
export async function metricsText(readings: Reading[]): Promise<{ text: string; content_type: string }> {
  const { registry, beside, ended, watched } = metrics()
  // Copied before any await: a process that ends meanwhile is then counted exactly once.
  const others = [...beside.values()]
  const counted = AggregatorRegistry.aggregate([await readCounts(), await ended, ...others])
  // A new registry each time, so that a reading that is unknown now is absent instead of outdated.
  const shared = new Registry()
  const gauges = new Map<string, Gauge>()
  for (const { name, help, value, labels = {} } of readings) {
    if (value === null) continue
    const gauge =
      gauges.get(name) ?? new Gauge({ name, help, labelNames: Object.keys(labels), registers: [shared] })
    gauges.set(name, gauge)
    gauge.set(labels, value)
  }
  const texts = [counted, watched(), shared].map((part) => part.metrics())
  const text = (await Promise.all(texts)).join('\n')
  return { text, content_type: registry.contentType }
}
