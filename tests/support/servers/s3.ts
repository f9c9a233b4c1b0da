import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { sha256, signatureOf } from '#tests/support/servers/aws-signature'

export const S3_KEYS = {
  access_key_id: 'AKIDEXAMPLE',
  secret_access_key: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
}
export const BUCKET = 'files'
const REGION = 'eu-north-1'

type Kept = { bytes: Buffer; type: string }
type Call = { request: IncomingMessage; response: ServerResponse; url: URL; key: string; body: Buffer }

/** A bucket in memory that speaks the S3 protocol and refuses requests that are not signed with its keys. */
export async function createS3Server() {
  const files = new Map<string, Kept>()
  const uploads = new Map<string, Map<number, Buffer> & { type?: string }>()
  const seen: string[] = []
  const trouble = { busy: 0, cut_after: Number.POSITIVE_INFINITY, refuse_part: 0 }

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://s3.test')
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece)
    const body = Buffer.concat(pieces)
    const key = url.pathname.slice(`/${BUCKET}/`.length)
    seen.push(
      `${request.method} ${key}${[...url.searchParams.keys()].some((name) => !name.startsWith('X-Amz')) ? '?' : ''}`,
    )
    const call = { request, response, url, key, body }
    if (!url.pathname.startsWith(`/${BUCKET}/`)) return refuse(response, 404, 'NoSuchBucket')
    const fault = signatureFault(call)
    if (fault) return refuse(response, 403, fault)
    if (trouble.busy > 0) {
      trouble.busy -= 1
      return refuse(response, 503, 'SlowDown')
    }
    if (url.searchParams.has('uploads') || url.searchParams.has('uploadId')) return inParts(call)
    const answer = { PUT: put, GET: get, DELETE: remove }[request.method ?? '']
    if (answer) answer(call)
    else refuse(response, 405, 'MethodNotAllowed')
  })

  function put({ request, response, key, body }: Call) {
    if (request.headers['if-none-match'] === '*' && files.has(key))
      return refuse(response, 412, 'PreconditionFailed')
    files.set(key, { bytes: body, type: `${request.headers['content-type']}` })
    response.writeHead(200, { etag: tagOf(body) }).end()
  }

  function get({ request, response, key }: Call) {
    const file = files.get(key)
    if (!file) return refuse(response, 404, 'NoSuchKey')
    const match = request.headers['if-match']
    if (match && match !== tagOf(file.bytes)) return refuse(response, 412, 'PreconditionFailed')
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0)
    const bytes = file.bytes.subarray(from)
    const headers = { 'content-length': bytes.length, 'content-type': file.type, etag: tagOf(file.bytes) }
    response.writeHead(request.headers.range ? 206 : 200, headers)
    if (bytes.length <= trouble.cut_after) return response.end(bytes)
    response.write(bytes.subarray(0, trouble.cut_after), () => setTimeout(() => response.destroy(), 20))
  }

  function remove({ response, key }: Call) {
    files.delete(key)
    response.writeHead(204).end()
  }

  function inParts({ request, response, url, key, body }: Call) {
    const id = url.searchParams.get('uploadId')
    if (id === null) {
      const made = `${key}+${uploads.size}/=`
      uploads.set(
        made,
        Object.assign(new Map<number, Buffer>(), { type: `${request.headers['content-type']}` }),
      )
      return response.end(`<Initiate><Bucket>${BUCKET}</Bucket><UploadId>${made}</UploadId></Initiate>`)
    }
    const upload = uploads.get(id)
    if (!upload) return refuse(response, 404, 'NoSuchUpload')
    if (request.method === 'DELETE') {
      uploads.delete(id)
      return response.writeHead(204).end()
    }
    if (request.method === 'PUT') {
      const number = Number(url.searchParams.get('partNumber'))
      if (number === trouble.refuse_part) return refuse(response, 400, 'EntityTooSmall')
      upload.set(number, body)
      return response.writeHead(200, { etag: tagOf(body) }).end()
    }
    const named = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>("\w+")<\/ETag>/g)]
    const parts = named.map(([, number, tag]) => ({ bytes: upload.get(Number(number)), tag }))
    // S3 sends status 200 before it knows the outcome, so the error stands in the body.
    if (parts.some(({ bytes, tag }) => !bytes || tagOf(bytes) !== tag))
      return response.end('<Error><Code>InvalidPart</Code></Error>')
    files.set(key, {
      bytes: Buffer.concat(parts.map(({ bytes }) => bytes ?? Buffer.alloc(0))),
      type: upload.type ?? '',
    })
    uploads.delete(id)
    response.end('<Complete/>')
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const endpoint = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  return {
    options: { ...S3_KEYS, bucket: BUCKET, region: REGION, endpoint, wait_ms: 1 },
    files,
    uploads,
    seen,
    trouble,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

const tagOf = (bytes: Buffer) => `"${sha256(bytes).slice(0, 32)}"`

const refuse = (response: ServerResponse, status: number, code: string) =>
  void response
    .writeHead(status, { 'content-type': 'application/xml' })
    .end(`<Error><Code>${code}</Code></Error>`)

/** What is wrong with the signature, in the header or in the query; null where it is valid. */
function signatureFault({ request, url, body }: Call): string | null {
  const query = url.searchParams
  const isAddress = query.has('X-Amz-Signature')
  const header = /^AWS4-HMAC-SHA256 Credential=([^,]+), SignedHeaders=([^,]+), Signature=(\w+)$/.exec(
    request.headers.authorization ?? '',
  )
  const [credential = '', names = '', signature = ''] = isAddress
    ? ['X-Amz-Credential', 'X-Amz-SignedHeaders', 'X-Amz-Signature'].map((name) => query.get(name) ?? '')
    : (header?.slice(1) ?? [])
  const [id, ...scope] = credential.split('/')
  if (id !== S3_KEYS.access_key_id) return 'InvalidAccessKeyId'
  const payload = isAddress ? 'UNSIGNED-PAYLOAD' : `${request.headers['x-amz-content-sha256']}`
  if (!isAddress && payload !== sha256(body)) return 'XAmzContentSHA256Mismatch'
  const signed = names.split(';').map((name): [string, string] => [name, `${request.headers[name] ?? ''}`])
  const expected = signatureOf(
    {
      method: `${request.method}`,
      path: url.pathname,
      query: url.search.slice(1),
      signed,
      payload,
      scope: scope.join('/'),
    },
    S3_KEYS,
  )
  if (expected !== signature) return 'SignatureDoesNotMatch'
  return isAddress && isOver(query) ? 'AccessDenied' : null
}

function isOver(query: URLSearchParams): boolean {
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(query.get('X-Amz-Date') ?? '') ?? []
  const from = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
  )
  return Date.now() > from + Number(query.get('X-Amz-Expires')) * 1000
}
