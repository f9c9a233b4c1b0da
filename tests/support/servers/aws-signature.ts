import { createHash, createHmac } from 'node:crypto'

/** AWS Signature Version 4, written from its documentation: test servers check requests against it. */
export type ToSign = {
  method: string
  path: string
  /** The query string as sent; parameters in any order. */
  query: string
  /** Names in lower case and their values, sorted by name; `x-amz-date` is among them or in the query. */
  signed: [name: string, value: string][]
  /** SHA-256 of the body, in hex, or UNSIGNED-PAYLOAD. */
  payload: string
  /** day/region/service/aws4_request */
  scope: string
}

export const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

export function signatureOf(request: ToSign, { secret_access_key }: { secret_access_key: string }): string {
  const query = request.query
    .split('&')
    .filter((pair) => pair && !pair.startsWith('X-Amz-Signature='))
    .toSorted()
    .join('&')
  const canonical = [
    request.method,
    request.path,
    query,
    ...request.signed.map(([name, value]) => `${name}:${value.trim()}`),
    '',
    request.signed.map(([name]) => name).join(';'),
    request.payload,
  ].join('\n')
  const date =
    request.signed.find(([name]) => name === 'x-amz-date')?.[1] ??
    new URLSearchParams(request.query).get('X-Amz-Date') ??
    ''
  const text = ['AWS4-HMAC-SHA256', date, request.scope, sha256(canonical)].join('\n')
  const key = request.scope.split('/').reduce<string | Buffer>(hmac, `AWS4${secret_access_key}`)
  return hmac(key, text).toString('hex')
}
