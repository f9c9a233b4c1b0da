import { AppError, ValidationError } from '#lib/errors'

/** An operation may refuse; that is a regular answer. */
export const isRefusal = (error: unknown) => error instanceof AppError || error instanceof ValidationError
