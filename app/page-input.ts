import { notFound } from 'next/navigation'
import type { z } from 'zod'
import { AppError } from '#lib/errors'

/** The query of a page by its contract. One that was typed wrong reads as none: a list is never an error page. */
export function parseQuery<S extends z.ZodType>(schema: S, params: unknown): z.output<S> {
  const parsed = schema.safeParse(params)
  return parsed.success ? parsed.data : schema.parse({})
}

/** The path's parameters by their contract; an id that cannot exist is a page that does not exist. */
export function parseParams<S extends z.ZodType>(schema: S, params: unknown): z.output<S> {
  const parsed = schema.safeParse(params)
  return parsed.success ? parsed.data : notFound()
}

/** What a service answers, or the "nothing at this address" page where it knows no such thing of this owner. */
export async function orNotFound<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof AppError && error.code.endsWith('not_found')) notFound()
    throw error
  }
}
