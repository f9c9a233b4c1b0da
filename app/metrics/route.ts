import { serveMetrics } from '#lib/http/metrics'
import { door } from '#lib/http/route'

export const GET = door<unknown>(serveMetrics, () => ({ errors: 'flat', id: 'metrics' }))
