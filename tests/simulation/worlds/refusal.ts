import { AppError, ValidationError } from '#lib/errors'

/** A verb may refuse; that is an answer. */
export const isRefusal = (error: unknown) => error instanceof AppError || error instanceof ValidationError
