import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request, without the token. */
export type Asked = {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
  body: string
  bytes: Buffer
}
export type Step = 'draft' | 'begin' | 'put' | 'attach' | 'tag' | 'send' | 'read'
export type Reply = { status: number; body?: unknown; headers?: Record<string, string> }
/**
 * A scripted fault. `acts`: the request is carried out although the answer says otherwise; `drop`: the connection is cut;
 * `half`: it is cut in the middle of the answer; `hang`: there is no answer.
 */
export type Play = Partial<Reply> & { acts?: true; drop?: true; half?: true; hang?: true }

export type MailApiServerOptions = {
  /** Whether a token is valid; absent: any token is. */
  takesToken?: (token: string) => boolean
  /** Asked at each request; undefined: no fault. */
  play?: (step: Step, asked: Asked) => Play | undefined
}

type Api = MailApiServerOptions & {
  stepOf: (asked: Asked) => Step
  unauthorized: Reply
  answer: (asked: Asked) => Reply
}

/** An HTTP API on loopback that requires a bearer token, and plays the faults that a test scripts. */
export async function createMailApiServer({
  takesToken = () => true,
  play,
  stepOf,
  unauthorized,
  answer,
}: Api) {
  const asked: Asked[] = []
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://api')
    const bytes = Buffer.concat(await request.toArray())
    const { headers, method = '' } = request
    const one: Asked = { method, path: pathname, query: searchParams, headers, body: bytes.toString(), bytes }
    asked.push(one)
    const write = ({ status, body: said, headers: more }: Reply) =>
      response
        .writeHead(status, { 'content-type': 'application/json', ...more })
        .end(
          said === undefined
            ? ''
            : typeof said === 'string' || Buffer.isBuffer(said)
              ? said
              : JSON.stringify(said),
        )
    // An upload address needs no token: whoever knows it may use it.
    if (method !== 'PUT' && !takesToken(String(headers.authorization).replace(/^Bearer /, '')))
      return void write(unauthorized)
    const scripted = play?.(stepOf(one), one)
    const played = !scripted || scripted.acts || scripted.half ? answer(one) : null
    if (scripted?.hang) return
    if (scripted?.drop) return void request.socket.destroy()
    if (scripted?.half) {
      const whole = Buffer.isBuffer(played?.body) ? played.body : Buffer.from(JSON.stringify(played?.body))
      response.writeHead(200, { 'content-length': whole.length })
      return void response.write(whole.subarray(0, whole.length / 2), () => request.socket.destroy())
    }
    const { status = played?.status ?? 200, body: said = played?.body, headers: more = {} } = scripted ?? {}
    write({ status, body: said, headers: { ...played?.headers, ...more } })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Uploads in parts, by the id in the address of each. */
export function createUploads() {
  const uploads = new Map<string, { parts: Buffer[]; of: number }>()
  return {
    begin(of: number) {
      const id = `${uploads.size + 1}`
      uploads.set(id, { parts: [], of })
      return id
    },
    /**
     * The number of bytes after this part, and the whole file once it is complete; null where the part does not follow the previous ones.
     */
    put(id: string, { headers, bytes }: Asked): { next: number; whole: Buffer | null } | null {
      const upload = uploads.get(id)
      const [, from, to, of] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers['content-range'] ?? '') ?? []
      const had = Buffer.concat(upload?.parts ?? []).length
      if (!upload || Number(from) !== had || Number(to) !== had + bytes.length - 1) return null
      if (Number(of) !== upload.of) return null
      upload.parts.push(bytes)
      const whole = Buffer.concat(upload.parts)
      return { next: whole.length, whole: whole.length === upload.of ? whole : null }
    },
  }
}

/** A header field of a mail, unfolded; null where it is absent. */
export function readField(raw: string, name: string): string | null {
  const head = raw.slice(0, raw.indexOf('\r\n\r\n')).replace(/\r\n[ \t]+/g, ' ')
  const line = head.split('\r\n').find((each) => each.toLowerCase().startsWith(`${name.toLowerCase()}:`))
  return line?.slice(name.length + 1).trim() ?? null
}
