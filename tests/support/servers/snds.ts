import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createSnds } from '#lib/providers/snds/microsoft'
import type { FindSnds } from '#lib/services/domains/snds/readers'

type Answer = { status: number; body: string; headers?: Record<string, string> }

/** The automated data access of SNDS on loopback: tables without a header row, by a key and a day as MMDDYY. */
export async function anSndsServer() {
  const state = {
    keys: new Set<string>(),
    /** Lines by the requested day. */
    days: new Map<string, string[]>(),
    blocks: [] as string[],
    /** Asked at each request; undefined: no fault. */
    play: (_path: string): Answer | undefined => undefined,
    asked: [] as string[],
  }
  const page = { status: 200, body: '<!DOCTYPE html><html><body>Sign in</body></html>' }
  function answer(path: string, query: URLSearchParams): Answer {
    const scripted = state.play(path)
    if (scripted) return scripted
    if (!state.keys.has(query.get('key') ?? '')) return page
    const lines =
      path === '/snds/ipStatus.aspx' ? state.blocks : (state.days.get(query.get('date') ?? '') ?? [])
    return { status: 200, body: lines.map((line) => `${line}\r\n`).join('') }
  }
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://snds')
    state.asked.push(`${pathname} ${searchParams.get('date') ?? ''}`.trim())
    const { status, body, headers } = answer(pathname, searchParams)
    response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const find: FindSnds = () => createSnds({ origin, outbound: { policy: { allow_private_hosts: true } } })
  return { state, find, close: () => new Promise<void>((resolve) => void server.close(() => resolve())) }
}
