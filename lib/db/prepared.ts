import { createHash } from 'node:crypto'
import type { QueryConfig } from 'pg'

const names = new Map<string, string>()

/**
 * A statement that each connection parses and plans once, for the few that run all the time: planning was a third of a dispatch
 * claim's work in Postgres. The text must be one of a fixed set, never built from user input. Poolers between us and Postgres must
 * support prepared statements (PgBouncer does since 1.21).
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
 * Hides a parameter of a prepared statement from the planner, such as a page's offset. With a bare parameter Postgres plans anew for
 * each page, because its estimate for an unknown page looks more expensive than for a known one. A list needs another cast around
 * it, as in `ANY (${hidden('$1::uuid[]')}::uuid[])`; otherwise it would be read as a subquery's rows.
 */
export const hidden = (value: string) => `(SELECT ${value})`
