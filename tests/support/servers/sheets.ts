import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createGoogleSheets } from '#lib/providers/sheets/google'
import type { FindSheets } from '#lib/services/leads/rows/sheets/google'
import { anOAuthServer } from '#tests/support/servers/oauth'

type Sheet = { gid: number; title: string; rows: unknown[][] }
type Refusal = { status: number; headers?: Record<string, string>; message: string; reason?: string }

/** The Sheets API v4 on loopback, as Google documents it, and the authorization server in front of it. */
export async function aSheetsServer() {
  const oauth = await anOAuthServer()
  const state = {
    title: 'Leads 2026',
    sheets: [] as Sheet[],
    refusal: null as Refusal | null,
    asked: [] as string[],
  }
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    const path = decodeURIComponent(url.pathname)
    state.asked.push(path)
    const send = (status: number, body: object, headers = {}) =>
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
    const refuse = ({ status, message, headers, reason = 'UNKNOWN' }: Refusal) =>
      send(status, { error: { code: status, message, status: reason } }, headers)
    const token = request.headers.authorization?.replace('Bearer ', '') ?? ''
    if (!oauth.live.access.has(token))
      return void refuse({ status: 401, message: 'Request had invalid authentication credentials.' })
    if (state.refusal) return void refuse(state.refusal)
    const [, id, range] = /^\/v4\/spreadsheets\/([^/]+)(?:\/values\/(.+))?$/.exec(path) ?? []
    if (id !== 'spreadsheet-1')
      return void refuse({ status: 404, message: 'Requested entity was not found.' })
    if (range === undefined) {
      const sheets = state.sheets.map(({ gid, title, rows }) => ({
        properties: { sheetId: gid, title, gridProperties: { rowCount: Math.max(1_000, rows.length) } },
      }))
      return void send(200, { properties: { title: state.title }, sheets })
    }
    const [, title = '', from = '1', to = '1'] = /^'(.+)'!(\d+):(\d+)$/.exec(range) ?? []
    const sheet = state.sheets.find((one) => one.title === title.replaceAll("''", "'"))
    if (!sheet) return void refuse({ status: 400, message: `Unable to parse range: ${range}` })
    const values = sheet.rows.slice(Number(from) - 1, Number(to))
    while (values.length > 0 && values.at(-1)?.length === 0) values.pop()
    send(200, { range, majorDimension: 'ROWS', ...(values.length > 0 && { values }) })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const reader = createGoogleSheets({ origin, outbound: { policy: { allow_private_hosts: true } } })
  const find: FindSheets = (vendor) => (vendor === 'google' ? { vendor, oauth: oauth.oauth, reader } : null)
  const close = async () => {
    await oauth.close()
    await new Promise<void>((resolve) => void server.close(() => resolve()))
  }
  return { state, oauth, find, close }
}
