import type { FileAnswer } from '#lib/contracts/fields'
import { AppError, ERRORS, invalid, ValidationError } from '#lib/errors'
import { act, paying } from '#lib/http/act'
import type { Caller } from '#lib/http/auth'
import { log } from '#lib/http/log'
import { readFileArgument, toFileContent } from '#lib/http/mcp/files'
import { CONFIRMATION, type Described, describeTool } from '#lib/http/mcp/tool'
import type { Raw } from '#lib/http/parse'
import { operations } from '#lib/operations/all'
import type { AnyOperation } from '#lib/operations/operation'

export type Arguments = Record<string, unknown>

/** Every operation as a tool, described once. The assistant itself is not offered as a tool. */
export const tools: ReadonlyMap<string, AnyOperation & Described> = new Map(
  operations
    .filter(({ contract }) => !contract.stream)
    .map((operation) => [operation.contract.id, { ...operation, ...describeTool(operation.contract) }]),
)

export function toolNamed(name: string): AnyOperation & Described {
  const tool = tools.get(name)
  if (!tool) throw new AppError('not_found', { message: `There is no tool named ${name}.` })
  return tool
}

const isScalar = (value: unknown) => ['string', 'number', 'boolean', 'bigint'].includes(typeof value)
/** The value as it would be written in a query or a form field. */
const written = (value: unknown) => (isScalar(value) ? String(value) : value)

/** Sorts the arguments into params, query and body. Throws a ValidationError for an argument the operation does not know. */
export function rawInput(tool: AnyOperation & Described, given: Arguments): Raw {
  const { contract, places, files } = tool
  const raw = { params: {} as Arguments, query: {} as Arguments, body: {} as Arguments }
  const isForm = contract.body_type === 'multipart'
  for (const [name, value] of Object.entries(given)) {
    const place = places.get(name)
    if (!place && name !== CONFIRMATION)
      throw invalid(['body', name], 'is not an argument of this tool', 'unrecognized_keys')
    if (!place || value === undefined) continue
    const isFile = place === 'body' && files.has(name)
    const asText =
      isForm && typeof value === 'object' && value !== null ? JSON.stringify(value) : written(value)
    raw[place][name] = isFile ? readFileArgument(name, value) : place === 'body' && !isForm ? value : asText
  }
  const isWhole = places.get('body') === 'body'
  return { ...raw, body: isWhole ? raw.body.body : raw.body }
}

type Call = { caller: Caller; now: Date; signal: AbortSignal }

/** One call through `act`, logged as the assistant's. The result is always an object, as the protocol requires. */
export async function call(
  tool: AnyOperation & Described,
  raw: Raw,
  { caller, now, signal }: Call,
): Promise<Arguments> {
  const asking = {
    enter: paying(caller, now),
    read: () => raw,
    as: { by_assistant: true },
    now,
    signal,
  } as const
  const answer = await act(tool, asking)
  if (answer === undefined) return { done: true }
  if (tool.contract.file) return toFileContent(answer as FileAnswer)
  return typeof answer === 'object' && answer !== null && !Array.isArray(answer)
    ? (answer as Arguments)
    : { result: answer }
}

/** A refusal as a tool result, with the same code as in the HTTP API. */
export function toRefusal(error: unknown): Arguments {
  if (error instanceof ValidationError)
    return { code: 'validation_error', status: 422, message: error.message, details: error.problems }
  if (!(error instanceof AppError)) {
    log().error({ err: error }, 'tool failed')
    const { status, message } = ERRORS.internal_error
    return { code: 'internal_error', status, message }
  }
  const wait = error.retryAfterSeconds
  return {
    code: error.code,
    status: ERRORS[error.code].status,
    message: error.message,
    ...(error.current === undefined ? {} : { current: error.current }),
    ...(wait === undefined ? {} : { retry_after_seconds: Math.max(1, Math.ceil(wait)) }),
  }
}
