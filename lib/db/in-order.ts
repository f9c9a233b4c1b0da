/** Rows as a statement put their ids in order; what is gone meanwhile is left out. */
export function inOrder<Row>(ids: string[], rows: Row[], toId: (row: Row) => string): Row[] {
  const found = new Map(rows.map((row) => [toId(row), row]))
  return ids.flatMap((id) => found.get(id) ?? [])
}

/** SQL: the order that a list is asked for, a minus from the last, and its own order among equals. */
export function orderBy(sort: string, columns: Record<string, string>, own: string): string {
  const by = columns[sort.replace('-', '')]
  return by ? `${by} ${sort.startsWith('-') ? 'DESC' : 'ASC'}, ${own}` : own
}
