import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'

export const BLOB_TOKEN = 'vercel_blob_rw_store1_secret'
const SECRET = 'of the store'

const hmac = (key: string, text: string) => createHmac('sha256', key).update(text).digest('base64url')

type Scope = {
  storeId: string
  pathname: string
  operations: string[]
  validUntil: number
  maximumSizeInBytes?: number
  allowedContentTypes?: string[]
}

/** The scope that the address was signed for; null if the signature is wrong, for another file, or expired. */
function readSigned(query: URLSearchParams): { scope: Scope; overwrites: boolean } | null {
  const delegation = query.get('vercel-blob-delegation') ?? ''
  const [payload = '', mac] = delegation.split('.')
  if (hmac(SECRET, payload) !== mac) return null
  const scope: Scope = JSON.parse(Buffer.from(payload, 'base64url').toString())
  const signed = [...query].filter(
    ([name]) =>
      name.startsWith('vercel-blob-') && !['vercel-blob-delegation', 'vercel-blob-signature'].includes(name),
  )
  const lines = [
    'operation=put',
    `pathname=${query.get('pathname')}`,
    ...signed.map(([name, value]) => `${name}=${value}`),
  ]
  const isSigned =
    hmac(hmac(SECRET, delegation), lines.toSorted().join('\n')) === query.get('vercel-blob-signature')
  const isMeant = scope.operations.includes('put') && scope.pathname === query.get('pathname')
  if (!isSigned || !isMeant || scope.validUntil <= Date.now()) return null
  return { scope, overwrites: query.get('vercel-blob-allow-overwrite') === 'true' }
}

type Stored = { bytes: Buffer; type: string; access: string }

/** The part of Vercel's Blob API that the driver uses, in memory; it grants nothing without the token or a signed address. */
export async function aBlobStore() {
  const files = new Map<string, Stored>()
  let down = false
  let cutAfter = Number.POSITIVE_INFINITY
  const address = () => `http://127.0.0.1:${port()}`
  const described = (pathname: string) => ({
    url: `${address()}/files/${pathname}`,
    downloadUrl: `${address()}/files/${pathname}?download=1`,
    pathname,
    contentType: files.get(pathname)?.type,
    contentDisposition: 'inline',
    cacheControl: '',
    size: files.get(pathname)?.bytes.length,
    uploadedAt: new Date(0).toISOString(),
    etag: '"1"',
  })
  /** Why an upload to a signed address is refused; undefined where it is accepted. */
  function refusal(query: URLSearchParams, { bytes, type }: Stored): string | undefined {
    const signed = readSigned(query)
    if (!signed) return 'no'
    const { maximumSizeInBytes = 0, allowedContentTypes = [] } = signed.scope
    if (bytes.length > maximumSizeInBytes) return 'too large'
    if (!allowedContentTypes.includes(type)) return 'type'
    return files.has(signed.scope.pathname) && !signed.overwrites ? 'there is one' : undefined
  }
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://blob.test')
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const body = Buffer.concat(parts)
    const say = (status: number, value: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    const refuse = (status: number, code: string, message: string) =>
      say(status, { error: { code, message } })
    const isSigned = url.searchParams.has('vercel-blob-signature')
    if (!isSigned && request.headers.authorization !== `Bearer ${BLOB_TOKEN}`)
      return refuse(403, 'forbidden', 'no')
    if (down) return refuse(400, 'store_suspended', 'down')
    if (url.pathname.startsWith('/files/')) {
      const file = files.get(url.pathname.slice('/files/'.length))
      if (!file) return say(404, {})
      response.writeHead(200, { 'content-type': file.type, 'content-length': file.bytes.length })
      if (file.bytes.length <= cutAfter) return response.end(file.bytes)
      return response.write(file.bytes.subarray(0, cutAfter), () => setTimeout(() => response.destroy(), 20))
    }
    if (url.pathname === '/signed-token') {
      const payload = Buffer.from(JSON.stringify({ storeId: 'store1', ...JSON.parse(body.toString()) }))
      const encoded = payload.toString('base64url')
      const delegationToken = `${encoded}.${hmac(SECRET, encoded)}`
      return say(200, { delegationToken, clientSigningToken: hmac(SECRET, delegationToken), validUntil: 0 })
    }
    if (request.method === 'PUT') {
      const pathname = url.searchParams.get('pathname') ?? ''
      const { 'x-content-type': type, 'x-vercel-blob-access': access } = request.headers
      const file = { bytes: body, type: `${type}`, access: `${access}` }
      const no = isSigned ? refusal(url.searchParams, file) : undefined
      if (no) return refuse(403, 'forbidden', no)
      files.set(pathname, file)
      return say(200, described(pathname))
    }
    if (request.method === 'POST') {
      for (const one of JSON.parse(body.toString()).urls) files.delete(one)
      return say(200, {})
    }
    const wanted = url.searchParams.get('url') ?? ''
    return files.has(wanted) ? say(200, described(wanted)) : refuse(404, 'not_found', 'no')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const port = () => {
    const at = server.address()
    return typeof at === 'object' && at ? at.port : 0
  }
  return {
    url: address(),
    files,
    breakDown: (isDown: boolean) => {
      down = isDown
    },
    /** Whoever reads a file gets only this many bytes of it. */
    cutOff(bytes: number) {
      cutAfter = bytes
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}
