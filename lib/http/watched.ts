import { serveMetrics } from '#lib/http/metrics'
import { door, routes } from '#lib/http/route'
import { readHealth } from '#lib/operations/meta'

const NO_PARAMS = { params: Promise.resolve({}) }

const metrics = door<unknown>(serveMetrics, () => ({ errors: 'flat', id: 'metrics' }))
const health = routes(readHealth)

/** The metrics route of a background process, the same as in the web process. */
export const metricsRoute = (request: Request) => metrics(request, undefined)
export const healthRoute = (request: Request) => health.GET(request, NO_PARAMS)
