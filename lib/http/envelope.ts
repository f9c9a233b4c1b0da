import type { Contract } from '#lib/contracts/contract'
import { AppError, ERRORS, type ErrorCode, ValidationError } from '#lib/errors'

/** Errors of paths and methods that no contract describes. */
const FRAMEWORK_BODIES = { 404: { detail: 'Not Found' }, 405: { detail: 'Method Not Allowed' } } as const

export type Shape = Pick<Contract, 'errors' | 'validation'>

function validationBody(error: ValidationError, shape: Shape, path: string) {
  if (shape.validation === 'framework') return { detail: error.problems }
  return { error: 'validation_error', details: error.problems, path, message: 'Request validation failed' }
}

/** For an edit of an outdated version: the current state, in error shapes that have room for it. */
function refusalBody(code: ErrorCode, message: string, current: unknown, shape: Shape) {
  if (shape.errors !== 'flat') return { detail: message }
  return { detail: code, message, ...(current === undefined ? {} : { current }) }
}

/**
 * The only place that writes an error body. Four shapes: flat, legacy, validation, and the framework's
 * own for agent chat (decisions, "Error shapes"). A 500 says nothing of its cause; the log does.
 */
export function errorResponse(error: unknown, shape: Shape, path: string): Response {
  if (error instanceof ValidationError)
    return Response.json(validationBody(error, shape, path), { status: 422 })
  const code = error instanceof AppError ? error.code : 'internal_error'
  const message = error instanceof AppError ? error.message : ERRORS.internal_error.message
  const current = error instanceof AppError ? error.current : undefined
  const { status } = ERRORS[code]
  const headers = new Headers()
  if (status === 401) headers.set('WWW-Authenticate', 'Bearer')
  if (error instanceof AppError && error.retryAfterSeconds !== undefined)
    headers.set('Retry-After', String(Math.max(1, Math.ceil(error.retryAfterSeconds))))
  return Response.json(refusalBody(code, message, current, shape), { status, headers })
}

/** 404 for an unknown path below /api/v1, 405 for a method that a known path does not have. */
export function frameworkResponse(status: 404 | 405, allow: readonly string[] = []): Response {
  const headers: HeadersInit = status === 405 ? { Allow: allow.join(', ') } : {}
  return Response.json(FRAMEWORK_BODIES[status], { status, headers })
}
