import pg, { type CustomTypesConfig } from 'pg'

const { TIMESTAMPTZ } = pg.types.builtins

/** What to append, by the length of a text such as `2026-11-21 14:56:25.123+00`, since Postgres omits trailing zeros. */
const MISSING: Record<number, string> = { 22: '.000', 24: '00', 25: '0', 26: '' }

/** Converts Postgres' text of an instant, in the connection's zone, to ISO 8601 in UTC with milliseconds. */
export function isoInstant(said: string): string {
  const missing = MISSING[said.length]
  // By slicing rather than by a regular expression: a list page has hundreds of them.
  if (missing !== undefined && said[4] === '-' && said[10] === ' ' && said.endsWith('+00'))
    return `${said.slice(0, 10)}T${said.slice(11, -3)}${missing}Z`
  return pg.types.getTypeParser(TIMESTAMPTZ)(said).toISOString()
}

/**
 * Type parsers for statements whose instants are only shown. A list page has hundreds of them, and turning each into a Date and back
 * into text would be wasted work.
 */
export const INSTANTS_AS_TEXT: CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === TIMESTAMPTZ && format !== 'binary' ? isoInstant : pg.types.getTypeParser(oid, format),
}

/** A row of such a statement, with its instants as text. */
export type Shown<T> = {
  [K in keyof T]: T[K] extends Date ? string : T[K] extends Date | null ? string | null : T[K]
}
