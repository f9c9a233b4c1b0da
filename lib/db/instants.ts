import pg, { type CustomTypesConfig } from 'pg'

const { TIMESTAMPTZ } = pg.types.builtins
const UTC = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,3}))?\+00$/

/** What Postgres says of an instant as ISO 8601 in UTC with milliseconds, in whatever zone the connection is. */
export function isoInstant(said: string): string {
  const [, day, time, fraction = ''] = UTC.exec(said) ?? []
  if (day && time) return `${day}T${time}.${fraction.padEnd(3, '0')}Z`
  return pg.types.getTypeParser(TIMESTAMPTZ)(said).toISOString()
}

/**
 * The types of a statement whose instants are only shown: a page of a list holds some hundred of them, each of which would be
 * made a Date to be made a text again.
 */
export const INSTANTS_AS_TEXT: CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === TIMESTAMPTZ && format !== 'binary' ? isoInstant : pg.types.getTypeParser(oid, format),
}

/** A row as such a statement answers it. */
export type Shown<T> = {
  [K in keyof T]: T[K] extends Date ? string : T[K] extends Date | null ? string | null : T[K]
}
