type Page = { page: number; page_size: number }

/** More rows than any list has, but small enough that adding a page still fits an integer parameter. */
const MOST_ROWS = 2_000_000_000

/** A row offset, capped to what a statement accepts. */
export const rowsBefore = (count: number): number => Math.min(count, MOST_ROWS)

/** How many rows stand before a page; pages count from 1. */
export const firstRow = ({ page, page_size }: Page): number => rowsBefore((page - 1) * page_size)

/** The rows of a page, as Prisma is asked for them. */
export const rowsOfPage = (page: Page) => ({ skip: firstRow(page), take: page.page_size })

/**
 * Splits the result of a statement that returns both a page and its total: `SELECT t.total, p.* FROM … t LEFT JOIN LATERAL
 * (the page) p ON true`. An empty page is one row whose `key` is null; returns null if not even the list exists. One statement,
 * because round trips are most of what a short list costs.
 */
export function pageAndTotal<Item extends object>(
  rows: (Item & { total: number })[],
  key: keyof Item,
): { items: Item[]; total: number } | null {
  if (!rows[0]) return null
  return { items: rows[0][key] === null ? [] : rows, total: rows[0].total }
}

/** Rows in the order of `ids`; rows deleted meanwhile are left out. */
export function inOrder<Row>(ids: string[], rows: Row[], toId: (row: Row) => string): Row[] {
  const byId = new Map(rows.map((row) => [toId(row), row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** SQL: a list's requested order (a minus means descending), with its own order as the tie-breaker. */
export function orderBy(sort: string, columns: Record<string, string>, own: string): string {
  const by = columns[sort.replace('-', '')]
  return by ? `${by} ${sort.startsWith('-') ? 'DESC' : 'ASC'}, ${own}` : own
}
