import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createGooglePostmaster } from '#lib/providers/postmaster/google'
import type { FindPostmaster } from '#lib/services/domains/postmaster/google'
import { anOAuthServer } from '#tests/support/servers/oauth'

type Refusal = { status: number; message: string; reason?: string }
type Stat = { metric: string; date: string; value: object }
type Query = {
  metricDefinitions: { name: string; baseMetric: { standardMetric: string }; filter?: string }[]
  timeQuery: { dateRanges: { dateRanges: { start: Parts; end: Parts }[] } }
  aggregationGranularity: string
  pageSize: number
  pageToken?: string
}
type Parts = { year: number; month: number; day: number }

const FILTERS: Record<string, string[]> = {
  SPAM_RATE: [''],
  AUTH_SUCCESS_RATE: ['auth_type = "spf"', 'auth_type = "dkim"', 'auth_type = "dmarc"'],
  DELIVERY_ERROR_RATE: [
    'error_type = "reject"',
    'error_type = "temp_fail"',
    'error_type = "reject" AND error_reason = "low_domain_reputation"',
  ],
}
const toDate = ({ year, month, day }: Parts) =>
  new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10)
const toParts = (date: string) => {
  const [year, month, day] = date.split('-').map(Number)
  return { year, month, day }
}

/** The Postmaster Tools API v2 on loopback, as Google documents it, and the authorization server in front of it. */
export async function aPostmasterServer() {
  const oauth = await anOAuthServer()
  const state = {
    /** By domain, for the domains that the account may see. */
    stats: new Map<string, Stat[]>(),
    refusal: null as Refusal | null,
    asked: [] as string[],
  }
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://127.0.0.1').pathname)
    const text = Buffer.concat(await request.toArray()).toString()
    const send = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    const refuse = ({ status, message, reason = 'UNKNOWN' }: Refusal) =>
      send(status, { error: { code: status, message, status: reason, details: [{ reason }] } })
    const token = request.headers.authorization?.replace('Bearer ', '') ?? ''
    if (!oauth.live.access.has(token))
      return void refuse({ status: 401, message: 'Request had invalid authentication credentials.' })
    if (state.refusal) return void refuse(state.refusal)
    const [, domain = ''] = /^\/v2\/domains\/([^/]+)\/domainStats:query$/.exec(path) ?? []
    state.asked.push(domain)
    const stats = state.stats.get(domain)
    if (request.method !== 'POST' || !stats)
      return void refuse({ status: 403, message: 'The caller does not have permission.' })
    const query: Query = JSON.parse(text)
    for (const { baseMetric, filter = '' } of query.metricDefinitions)
      if (!FILTERS[baseMetric.standardMetric]?.includes(filter))
        return void refuse({ status: 400, message: `Invalid filter: ${filter}` })
    const [range] = query.timeQuery.dateRanges.dateRanges
    if (!range || query.pageSize > 200) return void refuse({ status: 400, message: 'Invalid request.' })
    const names = query.metricDefinitions.map(({ name }) => name)
    const found = stats.filter(
      ({ metric, date }) =>
        names.includes(metric) && date >= toDate(range.start) && date <= toDate(range.end),
    )
    const from = Number(query.pageToken ?? 0)
    const page = found.slice(from, from + query.pageSize)
    send(200, {
      domainStats: page.map(({ metric, date, value }, index) => ({
        name: `domains/${domain}/domainStats/${from + index}`,
        metric,
        date: toParts(date),
        value,
      })),
      ...(found.length > from + page.length && { nextPageToken: String(from + page.length) }),
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const reader = createGooglePostmaster({ origin, outbound: { policy: { allow_private_hosts: true } } })
  const find: FindPostmaster = (vendor) =>
    vendor === 'google' ? { vendor, oauth: { ...oauth.oauth, needed_scopes: [] }, reader } : null
  const close = async () => {
    await oauth.close()
    await new Promise<void>((resolve) => void server.close(() => resolve()))
  }
  return { state, oauth, find, close }
}
