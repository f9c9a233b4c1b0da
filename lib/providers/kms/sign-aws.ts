import { createHash, createHmac } from 'node:crypto'

export type AwsCredentials = {
  access_key_id: string
  secret_access_key: string
  session_token?: string | undefined
}

type Signed = {
  method: string
  url: URL
  /** In lower case; `host` and the date are added. */
  headers: Record<string, string>
  body: string
  region: string
  service: string
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/** The headers of a request without a query, signed by Signature Version 4 of AWS. */
export function signAws(request: Signed, by: AwsCredentials, now: Date): Record<string, string> {
  const time = now
    .toISOString()
    .replaceAll('-', '')
    .replaceAll(':', '')
    .replace(/\.\d{3}/, '')
  const day = time.slice(0, 8)
  const headers: Record<string, string> = {
    ...request.headers,
    host: request.url.host,
    'x-amz-date': time,
    ...(by.session_token && { 'x-amz-security-token': by.session_token }),
  }
  const names = Object.keys(headers).toSorted()
  const canonical = [
    request.method,
    request.url.pathname,
    '',
    ...names.map((name) => `${name}:${headers[name]?.trim()}`),
    '',
    names.join(';'),
    sha256(request.body),
  ].join('\n')
  const scope = `${day}/${request.region}/${request.service}/aws4_request`
  const text = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n')
  const key = [day, request.region, request.service, 'aws4_request'].reduce<string | Buffer>(
    hmac,
    `AWS4${by.secret_access_key}`,
  )
  const signature = hmac(key, text).toString('hex')
  const authorization = `AWS4-HMAC-SHA256 Credential=${by.access_key_id}/${scope}, SignedHeaders=${names.join(';')}, Signature=${signature}`
  return { ...headers, authorization }
}
