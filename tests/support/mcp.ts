import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { issueToken } from '#lib/services/workspaces/tokens'
import { ROOT } from '#tests/support/code/source-files'

type Handler = (request: Request, context?: object) => Promise<Response>
const routeOf = async (file: string) => import(pathToFileURL(path.join(ROOT, 'app/mcp', file)).href)

/** One raw HTTP request to /mcp, through its route file. */
export async function postMcp(init: RequestInit): Promise<Response> {
  const handlers = (await routeOf('route.ts')) as Record<string, Handler>
  const method = init.method ?? 'POST'
  return (handlers[method] as Handler)(new Request('http://opener.test/mcp', { ...init, method }))
}

/** Uploads a file to an upload address that a tool returned. */
export async function upload(url: string, form: FormData): Promise<Response> {
  const { POST } = (await routeOf('uploads/[grant]/route.ts')) as { POST: Handler }
  const grant = new URL(url).pathname.split('/').at(-1)
  return POST(new Request(url, { method: 'POST', body: form }), { params: Promise.resolve({ grant }) })
}

/** The standard client, connected as a user or with a token. */
export async function mcpClient(
  who: { user_id: string } | string,
  versionNegotiation: ClientOptions['versionNegotiation'] = { mode: 'auto' },
) {
  const token = typeof who === 'string' ? who : await issueToken(who.user_id, new Date())
  const transport = new StreamableHTTPClientTransport(new URL('http://opener.test/mcp'), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
    fetch: (_, init) => postMcp(init ?? {}),
  })
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation })
  await client.connect(transport)
  /** Calls a tool; its structured answer, which its text repeats. */
  // biome-ignore lint/suspicious/noExplicitAny: each tool answers in its own shape, and that is what tests look at
  const call = async (name: string, given: Record<string, unknown> = {}): Promise<any> => {
    const result = await client.callTool({ name, arguments: given })
    return { isError: result.isError === true, said: result.structuredContent, content: result.content }
  }
  return { client, call }
}
