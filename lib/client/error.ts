export type Problem = { loc: string[]; msg: string; type: string }

/** A refusal of the API, parsed from any of its four body shapes. */
export class ApiError extends Error {
  readonly status: number
  /** The stable code of a flat body, `validation_error` of a validation body, null of a legacy one. */
  readonly code: string | null
  /** The invalid fields; empty if none is named. */
  readonly details: Problem[]
  /** Identifies the request in the log of the instance. */
  readonly request_id: string | null

  constructor(status: number, said: Said, request_id: string | null) {
    super(said.message)
    this.name = 'ApiError'
    this.status = status
    this.code = said.code
    this.details = said.details
    this.request_id = request_id
  }
}

type Said = { code: string | null; message: string; details: Problem[] }

/** The error of a failed response. It may come from a proxy rather than the API: then only its status is used. */
export async function readError(response: Response): Promise<ApiError> {
  const text = await response.text()
  return new ApiError(
    response.status,
    said(response.status, readJson(text)),
    response.headers.get('x-request-id'),
  )
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

const isProblem = (value: unknown): value is Problem =>
  isRecord(value) &&
  Array.isArray(value.loc) &&
  value.loc.every((part) => typeof part === 'string') &&
  typeof value.msg === 'string' &&
  typeof value.type === 'string'

function readJson(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}

function said(status: number, { error, details, detail, message }: Record<string, unknown>): Said {
  const problems = Array.isArray(detail) ? detail : details
  if (error === 'validation_error' || Array.isArray(detail)) {
    const list = Array.isArray(problems) ? problems.filter(isProblem) : []
    const text = list.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ')
    return { code: 'validation_error', message: text || 'Request validation failed', details: list }
  }
  if (typeof detail !== 'string') return { code: null, message: `The answer was ${status}.`, details: [] }
  if (typeof message !== 'string') return { code: null, message: detail, details: [] }
  return { code: detail, message, details: [] }
}
