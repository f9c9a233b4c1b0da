import fc from 'fast-check'
import type { DescribedOperation, Json } from '#tests/support/files/document'
import { hostileBytes, hostileText, writeJson } from '#tests/support/fuzz/hostile'
import { fuzzOf, type Mood, type Pool } from '#tests/support/fuzz/values'

export type Wire = {
  target: string
  headers: Record<string, string>
  body: Uint8Array<ArrayBuffer> | null
  how: How
}
/** `slow` arrives byte by byte, `broken` ends in an error, `endless` is longer than any limit. */
type How = 'whole' | 'slow' | 'broken' | 'endless'

const TYPES = [
  'application/json',
  'text/plain',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'x',
  'application/xml',
]
const BOUNDARY = 'fuzz'

const bytes = (text: string) => new TextEncoder().encode(text)

/** A form as bytes on the wire, so that a name or a text in it may hold what FormData would not accept. */
function writeForm(fields: Json, file: Uint8Array): Uint8Array<ArrayBuffer> {
  const parts = Object.entries(fields).flatMap(([name, value]) => {
    const isFile = name === 'file' || name === 'image'
    const content = isFile ? file : bytes(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
    const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${isFile ? '; filename="x.csv"' : ''}\r\n\r\n`
    return [bytes(head), content, bytes('\r\n')]
  })
  return Uint8Array.from(Buffer.concat([...parts, bytes(`--${BOUNDARY}--\r\n`)]))
}

function bodyOf(operation: DescribedOperation, mood: Mood): fc.Arbitrary<Pick<Wire, 'headers' | 'body'>> {
  const content = operation.requestBody?.content
  if (!content) return fc.constant({ headers: {}, body: null })
  const [type = '', { schema } = { schema: {} }] = Object.entries(content)[0] ?? []
  const value = fuzzOf(schema, mood)
  const proper = type.startsWith('multipart')
    ? fc.tuple(value, hostileBytes).map(([fields, file]) => ({
        headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
        body: writeForm(typeof fields === 'object' ? { file: '', ...fields } : { file: '' }, file),
      }))
    : value.map((json) => ({
        headers: { 'content-type': 'application/json' },
        body: Uint8Array.from(bytes(writeJson(json) ?? '')),
      }))
  const garbled = fc.tuple(fc.constantFrom(...TYPES), hostileBytes).map(([given, body]) => ({
    headers: { 'content-type': given },
    body: Uint8Array.from(body),
  }))
  const mistaken = fc.tuple(proper, fc.constantFrom(...TYPES)).map(([{ body }, given]) => ({
    headers: { 'content-type': given },
    body,
  }))
  if (!mood.wild) return proper
  return fc.oneof({ weight: 8, arbitrary: proper }, garbled, mistaken)
}

const oddHeaders = fc.oneof(
  { weight: 6, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Record<string, string>>(
      { 'content-length': '99999999999' },
      { 'content-length': '-1' },
      { 'content-encoding': 'gzip' },
      { 'x-request-id': 'a'.repeat(5_000) },
      { 'x-request-id': '<script>' },
      { accept: 'text/html' },
      { 'accept-language': '*;q=99' },
      { 'idempotency-key': '\'"' },
      { 'x-forwarded-for': '999.999.999.999, ::' },
      { origin: 'null' },
      { 'x-http-method-override': 'DELETE' },
    ),
  },
)

/** One request to an operation of the document, anywhere between well-formed and malicious. */
export function requestTo(path: string, operation: DescribedOperation, pool: Pool): fc.Arbitrary<Wire> {
  return fc.boolean().chain((wild) => inMood(path, operation, { pool, wild }))
}

function inMood(path: string, operation: DescribedOperation, mood: Mood): fc.Arbitrary<Wire> {
  const parameters = operation.parameters ?? []
  const known = (name: string) =>
    mood.pool[name === 'id' ? `${path.split('/')[3]}/id` : name] ?? crypto.randomUUID()
  const idOf = (name: string) => {
    const proper = fc.constant(known(name))
    return mood.wild ? fc.oneof({ weight: 4, arbitrary: proper }, hostileText, fc.uuid()) : proper
  }
  const inPath = parameters.filter((one) => one.in === 'path').map(({ name }) => [name, idOf(name)])
  const inQuery = parameters
    .filter((one) => one.in === 'query')
    .map(({ name, schema }) => [name, fuzzOf(schema, mood, name)])
  const how = fc.oneof(
    { weight: mood.wild ? 12 : 1, arbitrary: fc.constant<How>('whole') },
    { weight: mood.wild ? 1 : 0, arbitrary: fc.constantFrom<How>('slow', 'broken', 'endless') },
  )
  const tail = mood.wild
    ? fc.constantFrom('', '', '', '%', '&&=', 'page=1&page=2', '%ff=%ff')
    : fc.constant('')
  return fc
    .record({
      params: fc.record(Object.fromEntries(inPath)) as fc.Arbitrary<Record<string, string>>,
      asked: fc.record(Object.fromEntries(inQuery), { requiredKeys: [] }) as fc.Arbitrary<Json>,
      sent: bodyOf(operation, mood),
      odd: mood.wild ? oddHeaders : fc.constant({}),
      tail,
      how,
    })
    .map(({ params, asked, sent, odd, tail, how }) => ({
      target: `${place(path, params)}?${search(asked)}${tail && `&${tail}`}`,
      headers: { ...sent.headers, ...odd },
      body: sent.body,
      how: sent.body ? how : 'whole',
    }))
}

const place = (path: string, given: Record<string, string>) =>
  path.replace('/api/v1', '').replace(/\{(\w+)\}/g, (_, name: string) => segment(given[name] ?? ''))

const search = (asked: Json) =>
  new URLSearchParams(
    Object.entries(asked).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.toWellFormed() : (JSON.stringify(value) ?? ''),
    ]),
  ).toString()

/** A URL path cannot carry a segment that is empty or made of dots. */
const segment = (value: string) => encodeURIComponent((/^\.*$/.test(value) ? 'dots' : value).toWellFormed())
