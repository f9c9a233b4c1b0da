import { createHash } from 'node:crypto'
import { AwsClient } from 'aws4fetch'
import {
  type Allowed,
  type FileStorage,
  type Incoming,
  isKey,
  StorageTrouble,
  UPLOAD_TYPE,
  type UploadAddress,
} from '#lib/providers/storage/port'

export type S3Options = {
  bucket: string
  /** For stores other than AWS: the bucket is named in the path. */
  endpoint?: string | undefined
  region: string
  access_key_id: string
  secret_access_key: string
  session_token?: string | undefined
  /** Whether clients upload to the bucket directly; a bucket accepts no uploads from pages of other origins unless configured to. */
  direct_uploads?: boolean
  /** Larger files are uploaded in parts of this size; AWS requires at least 5 MiB for all parts but the last. */
  part_bytes?: number
  /** The delay before the second attempt, doubled before each further one. */
  wait_ms?: number
}

const TIMEOUT_MS = 30_000
const TRIES = 4
const PART_BYTES = 8 * 1024 * 1024

type Asked = { method: string; body?: Uint8Array<ArrayBuffer> | string; headers?: Record<string, string> }

/** An S3 bucket, or any store with the same protocol. This instance reads the files and passes them on, whoever uploaded them. */
export function createS3Storage(options: S3Options): FileStorage {
  const { part_bytes = PART_BYTES } = options
  const ask = asker(options)
  async function put(key: string, bytes: Uint8Array, contentType: string) {
    if (!isKey(key)) throw new StorageTrouble(`"${key}" is no key of a file.`)
    const body = new Uint8Array(bytes)
    const headers = { 'content-type': contentType }
    if (body.byteLength > part_bytes) await putInParts(ask, key, body, { headers, part_bytes })
    else await done(await ask(key, { method: 'PUT', body, headers }))
    return { location: key }
  }
  const throughUs: Incoming = {
    by: 'us',
    async take(key, parts) {
      if (await isThere(ask, key)) return false
      const whole: Uint8Array[] = []
      for await (const part of parts) whole.push(part)
      await put(key, Buffer.concat(whole), UPLOAD_TYPE)
      return true
    },
  }
  return {
    name: 's3',
    put,
    stream: (location) => open(ask, location),
    incoming: options.direct_uploads ? direct(options) : throughUs,
    async read(location) {
      const parts: Uint8Array[] = []
      const file = await open(ask, location)
      if (!file) return null
      for await (const part of file) parts.push(part)
      return new Uint8Array(Buffer.concat(parts))
    },
    async remove(location) {
      const response = await ask(location, { method: 'DELETE' })
      if (!(await isAbsent(response))) await done(response)
    },
  }
}

type Ask = (key: string, asked: Asked) => Promise<Response>

const makeClient = ({ region, session_token, ...keys }: S3Options) =>
  new AwsClient({
    accessKeyId: keys.access_key_id,
    secretAccessKey: keys.secret_access_key,
    ...(session_token && { sessionToken: session_token }),
    service: 's3',
    region,
  })

const bucketAddress = ({ bucket, endpoint, region }: S3Options) =>
  endpoint ? `${endpoint.replace(/\/$/, '')}/${bucket}` : `https://${bucket}.s3.${region}.amazonaws.com`

/** URLs signed for one file: its key, length and type, and that the key is not in use yet. */
function direct(options: S3Options): Incoming {
  const client = makeClient(options)
  const base = bucketAddress(options)
  async function sign(key: string, { max_bytes, now, until }: Allowed): Promise<UploadAddress> {
    if (!isKey(key)) throw new StorageTrouble(`"${key}" is no key of a file.`)
    const headers = { 'content-type': UPLOAD_TYPE, 'if-none-match': '*' }
    const seconds = Math.floor((until.getTime() - now.getTime()) / 1000)
    const { url } = await client.sign(`${base}/${key}?X-Amz-Expires=${seconds}`, {
      method: 'PUT',
      // Browsers set the length themselves, and pages cannot override it.
      headers: { ...headers, 'content-length': `${max_bytes}` },
      aws: { signQuery: true, allHeaders: true, datetime: now.toISOString().replace(/[:-]|\.\d{3}/g, '') },
    })
    return { url, headers }
  }
  return { by: 'address', prefix: `${base}/`, sign }
}

/** One signed request, retried if the store is busy or unreachable: every one of them is safe to repeat. */
function asker({ wait_ms = 200, ...options }: S3Options): Ask {
  const client = makeClient(options)
  const base = bucketAddress(options)
  async function once(key: string, { method, body, headers }: Asked): Promise<Response> {
    const digest = createHash('sha256')
      .update(body ?? '')
      .digest('hex')
    const request = await client.sign(`${base}/${key}`, {
      method,
      headers: { ...headers, 'x-amz-content-sha256': digest },
      ...(body !== undefined && { body }),
    })
    return fetch(request, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) })
  }
  return async (key, asked) => {
    for (let attempt = 1; ; attempt++) {
      const response = await once(key, asked).catch((error: unknown) => trouble(error))
      const isBusy = response instanceof Error || response.status >= 500 || response.status === 429
      if (!isBusy) return response
      if (attempt === TRIES) {
        if (response instanceof Error) throw response
        return response
      }
      if (!(response instanceof Error)) await response.body?.cancel()
      await new Promise((resolve) => setTimeout(resolve, wait_ms * 2 ** (attempt - 1)))
    }
  }
}

const trouble = (cause: unknown) =>
  new StorageTrouble(cause instanceof Error ? cause.message : String(cause), { cause })

/** The body of a successful response. */
async function done(response: Response): Promise<string> {
  const text = await response.text().catch((error: unknown) => {
    throw trouble(error)
  })
  // Completing an upload may fail although the status is good.
  if (response.ok && !text.includes('<Error>')) return text
  throw new StorageTrouble(`The store answered ${response.status} ${between(text, 'Code')}`.trimEnd())
}

function between(xml: string, tag: string): string {
  const from = xml.indexOf(`<${tag}>`)
  const to = xml.indexOf(`</${tag}>`)
  return from === -1 || to === -1 ? '' : xml.slice(from + tag.length + 2, to)
}

/** The file does not exist, as opposed to the bucket. */
async function isAbsent(response: Response): Promise<boolean> {
  return response.status === 404 && between(await response.clone().text(), 'Code') !== 'NoSuchBucket'
}

type Parts = { headers: Record<string, string>; part_bytes: number }

/** The file appears when the upload is completed; the parts of a failed upload are deleted, since the store would charge for them. */
async function putInParts(
  ask: Ask,
  key: string,
  body: Uint8Array<ArrayBuffer>,
  { headers, part_bytes }: Parts,
) {
  const begun = await done(await ask(`${key}?uploads=`, { method: 'POST', headers }))
  const upload = encodeURIComponent(between(begun, 'UploadId'))
  try {
    const parts: string[] = []
    for (let at = 0; at < body.byteLength; at += part_bytes) {
      const number = parts.length + 1
      const part = body.subarray(at, at + part_bytes)
      const response = await ask(`${key}?partNumber=${number}&uploadId=${upload}`, {
        method: 'PUT',
        body: part,
      })
      await done(response)
      const tag = response.headers.get('etag') ?? ''
      parts.push(`<Part><PartNumber>${number}</PartNumber><ETag>${tag}</ETag></Part>`)
    }
    const whole = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`
    await done(await ask(`${key}?uploadId=${upload}`, { method: 'POST', body: whole }))
  } catch (error) {
    await ask(`${key}?uploadId=${upload}`, { method: 'DELETE' }).catch(() => undefined)
    throw error
  }
}

/** Null if there is no such file. The first response is awaited, so that a refusal is known before anything is passed on. */
async function open(ask: Ask, location: string): Promise<AsyncIterable<Uint8Array> | null> {
  if (!isKey(location)) throw new StorageTrouble(`"${location}" is no key of a file.`)
  const response = await ask(location, { method: 'GET' })
  if (await isAbsent(response)) return null
  if (!response.ok) await done(response)
  return resumed(ask, location, response)
}

/** Whether the file exists, by requesting only its beginning. */
async function isThere(ask: Ask, location: string): Promise<boolean> {
  for await (const _ of (await open(ask, location)) ?? []) return true
  return false
}

/** The parts of a file; a broken connection is resumed at the same position, as long as the file has not changed. */
async function* resumed(ask: Ask, location: string, first: Response): AsyncGenerator<Uint8Array> {
  const size = Number(first.headers.get('content-length') ?? Number.NaN)
  const tag = first.headers.get('etag')
  let had = 0
  for (let response = first, broken = 0; ; ) {
    try {
      for await (const part of response.body ?? []) {
        had += part.byteLength
        yield part
      }
      if (Number.isNaN(size) || had === size) return
      throw new Error(`The store sent ${had} of ${size} bytes.`)
    } catch (error) {
      broken += 1
      if (broken === TRIES || !tag || Number.isNaN(size)) throw trouble(error)
    }
    response = await ask(location, { method: 'GET', headers: { range: `bytes=${had}-`, 'if-match': tag } })
    if (response.status !== 206) await done(response)
  }
}
