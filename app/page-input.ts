import { notFound } from 'next/navigation'
import type { z } from 'zod'
import { AppError } from '#lib/errors'

/** Parses a page's query by its contract. Invalid values are ignored: a list is never an error page. */
export function parseQuery<S extends z.ZodType>(schema: S, params: unknown): z.output<S> {
  const parsed = schema.safeParse(params)
  return parsed.success ? parsed.data : schema.parse({})
}

/** Parses the path's parameters by their contract; an impossible id is "not found". */
export function parseParams<S extends z.ZodType>(schema: S, params: unknown): z.output<S> {
  const parsed = schema.safeParse(params)
  return parsed.success ? parsed.data : notFound()
}

/** A service's answer, or the not-found page if the workspace has no such record. */
export async function orNotFound<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof AppError && error.code.endsWith('not_found')) notFound()
    throw error
  }
}
