// node tools/vercel/instance.ts FOLDER HANDLER: one instance of one function, which reports its address to its parent.
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import path from 'node:path'

type Handler = (...given: unknown[]) => unknown

const [folder = '', handler = '', kind = ''] = process.argv.slice(2)
const load = createRequire(path.join(folder, 'package.json'))
const handle = load(path.join(folder, handler)) as Handler

/** Work that continues after the response, for as long as this process is kept. */
const context = { waitUntil: (work: Promise<unknown>) => void work.catch(() => undefined), headers: {} }
Reflect.set(globalThis, Symbol.for('@vercel/request-context'), { get: () => context })

const server = createServer(async (request, response) => {
  if (kind !== 'web') return handle(request, response)
  // Middleware: it gets the request without its body.
  const headers = new Headers(
    Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, `${value}`]],
    ),
  )
  const url = `http://${request.headers.host}${request.url}`
  const answer = (await handle(new Request(url, { method: request.method ?? 'GET', headers }))) as Response
  response.writeHead(answer.status, Object.fromEntries(answer.headers))
  response.end(Buffer.from(await answer.arrayBuffer()))
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.({ port: typeof address === 'object' && address ? address.port : 0 })
})
// The parent is gone.
process.on('disconnect', () => process.exit(0))
