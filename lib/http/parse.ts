import { setImmediate as breath } from 'node:timers/promises'
import type { ZodError, z } from 'zod'
import type { Contract } from '#lib/contracts/contract'
import { DOCUMENTED } from '#lib/contracts/documented'
import { AppError, type FieldProblem, invalid, ValidationError } from '#lib/errors'
import { withoutNulls, withoutNullWords } from '#lib/http/absent'
import { measureDepth } from '#lib/services/files/json-depth'

const JSON_BYTES = 1024 * 1024
const JSON_DEPTH = 100

type Source = 'body' | 'query' | 'path'

const toProblems = (error: ZodError, source: Source): FieldProblem[] =>
  error.issues.map((issue) => ({
    loc: [source, ...issue.path.map(String)],
    msg: issue.message,
    type:
      issue.code === 'invalid_type' && issue.message.includes('received undefined') ? 'missing' : issue.code,
  }))

/** Parses one part of a request; adds its errors to `problems`. */
function part(
  schema: z.ZodType | undefined,
  value: unknown,
  source: Source,
  problems: FieldProblem[],
): unknown {
  if (!schema) return undefined
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  problems.push(...toProblems(parsed.error, source))
  return undefined
}

/** Reads the body's chunks. A body that breaks off is the sender's error, not a server error. */
async function* readPieces({ body }: Request): AsyncGenerator<Uint8Array> {
  try {
    yield* body ?? []
  } catch (cause) {
    throw new AppError('bad_request', { message: 'The body was cut off.', cause })
  }
}

/** A body of up to this many times its limit is read to its end and discarded, so that the connection can be reused. */
const PATIENCE = 3
/** The rest of the body is not read, so the connection cannot be reused. */
const CLOSE = { connection: 'close' }

const bodyTooLarge = (limit: number, headers: Record<string, string> = {}) =>
  new AppError('body_too_large', { message: `The body is larger than ${limit} bytes.`, headers })

/**
 * The body, with at most `limit` bytes of it in memory. A client that is still sending would miss an early response, so a body over
 * the limit is read to its end first, unless it is endless or declares a length far over the limit.
 */
async function readChunks(request: Request, limit: number): Promise<Uint8Array[]> {
  const announced = Number(request.headers.get('content-length') ?? 0)
  if (announced > PATIENCE * limit) throw bodyTooLarge(limit)
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of readPieces(request)) {
    size += chunk.byteLength
    if (size > PATIENCE * limit) throw bodyTooLarge(limit, CLOSE)
    if (Math.max(announced, size) <= limit) chunks.push(chunk)
  }
  if (Math.max(announced, size) > limit) throw bodyTooLarge(limit)
  return chunks
}

/** The chunks of a body as they arrive, for callers that write them elsewhere at once. Throws beyond the limit. */
export async function* readParts(request: Request, limit: number): AsyncGenerator<Uint8Array> {
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw bodyTooLarge(limit)
  let size = 0
  for await (const chunk of readPieces(request)) {
    size += chunk.byteLength
    if (size > limit) throw bodyTooLarge(limit, CLOSE)
    yield chunk
  }
}

async function readBytes(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks = await readChunks(request, limit)
  const bytes = new Uint8Array(chunks.reduce((size, chunk) => size + chunk.byteLength, 0))
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.byteLength
  }
  return bytes
}

/** The body as sent, for signatures over its bytes; null if it is larger than `limit` bytes. */
export async function readText(request: Request, limit: number): Promise<string | null> {
  try {
    return new TextDecoder().decode(await readBytes(request, limit))
  } catch (error) {
    if (error instanceof AppError && error.code === 'body_too_large') return null
    throw error
  }
}

/** The JSON of a body; undefined if it is empty. Its nesting is limited to what later recursive code can handle. */
export async function readJson(
  request: Request,
  limit: number,
  parse: (json: string) => unknown = JSON.parse,
): Promise<unknown> {
  const bytes = await readBytes(request, limit)
  if (bytes.byteLength === 0) return undefined
  try {
    const json = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    if (measureDepth(json) <= JSON_DEPTH) return parse(json)
  } catch {
    throw invalid(['body'], 'The body is not valid JSON in UTF-8.', 'json_invalid')
  }
  throw invalid(['body'], `The body nests deeper than ${JSON_DEPTH} levels.`, 'json_too_deep')
}

/** The fields of a form, multipart or urlencoded. */
export async function readForm(request: Request, limit: number): Promise<Record<string, unknown>> {
  const chunks = await readChunks(request, limit)
  const type = request.headers.get('content-type') ?? ''
  try {
    const body = new ReadableStream({
      start(stream) {
        for (const chunk of chunks) stream.enqueue(chunk)
        stream.close()
      },
    })
    const form = await new Response(body, { headers: { 'content-type': type } }).formData()
    // Copying a large file takes time: other requests are served between two copies.
    await breath()
    return Object.fromEntries(form)
  } catch {
    throw invalid(['body'], 'The body is not a form.', 'form_invalid')
  }
}

/** The inputs of a request before validation. */
export type Raw = { params: unknown; query: unknown; body: unknown }

/** Refuses unknown query parameters: a misspelt one must not be treated as absent, `dry_run` above all. */
function unknownParameters({ id, scope, query }: Contract, given: unknown): FieldProblem[] {
  // Monitoring tools may add any parameter to /health.
  if (DOCUMENTED.has(id) || scope === null) return []
  const known = query && 'shape' in query ? query.shape : {}
  return Object.keys((given ?? {}) as object)
    .filter((name) => !Object.hasOwn(known, name))
    .map((name) => ({
      loc: ['query', name],
      msg: 'is not a parameter of this operation',
      type: 'unrecognized_keys',
    }))
}

/** The three validated inputs of an operation. Throws a ValidationError that names every invalid field. */
export function parseInput(contract: Contract, raw: Raw) {
  const problems = unknownParameters(contract, raw.query)
  const params = part(contract.params, raw.params, 'path', problems)
  const query = part(contract.query, withoutNullWords(contract.query, raw.query), 'query', problems)
  const said = contract.body_type === 'multipart' ? withoutNullWords : withoutNulls
  const body = part(contract.body, said(contract.body, raw.body), 'body', problems)
  if (problems.length > 0) throw new ValidationError(problems)
  return { params, query, body }
}

export type ParsedInput = ReturnType<typeof parseInput>

/** Reads the inputs of an HTTP request; the body may not be larger than the contract permits. */
export async function readRequest(
  request: Request,
  contract: Contract,
  params: Record<string, string>,
): Promise<Raw> {
  const query = Object.fromEntries(new URL(request.url).searchParams)
  const body = contract.body ? await readBody(request, contract) : undefined
  return { params, query, body }
}

function readBody(request: Request, { body_type, max_bytes = JSON_BYTES, parse_json }: Contract) {
  if (body_type === 'multipart') return readForm(request, max_bytes)
  return readJson(request, max_bytes, parse_json)
}
