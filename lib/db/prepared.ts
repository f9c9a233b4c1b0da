import { createHash } from 'node:crypto'
import type { QueryConfig } from 'pg'

const names = new Map<string, string>()

/**
 * A statement that each connection parses and plans once, for the few that run all the time: of a dispatch claim, planning
 * was a third of what Postgres did. The text must be one of a fixed number, never made from what a caller says. Poolers
 * between us and Postgres must know prepared statements (PgBouncer does since 1.21).
 */
export function prepared(text: string, values: unknown[]): QueryConfig {
  let name = names.get(text)
  if (!name) {
    name = createHash('sha256').update(text).digest('base64url').slice(0, 22)
    names.set(text, name)
  }
  return { name, text, values }
}

/**
 * A value of a prepared statement that its plan must not depend on, such as where a page begins. A bare parameter there makes
 * Postgres plan anew for each page: what it guesses of any page looks dearer than what it knows of this one. A list is cast once more
 * around it, as in `ANY (${hidden('$1::uuid[]')}::uuid[])`, which else would be the rows of a query.
 */
export const hidden = (value: string) => `(SELECT ${value})`
