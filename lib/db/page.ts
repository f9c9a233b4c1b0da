/**
 * Takes apart what one statement answered for both a page and its total: `SELECT t.total, p.* FROM … t LEFT JOIN LATERAL
 * (the page) p ON true`. An empty page is one row whose `key` is null; null is answered where not even the list is there.
 * The round trips are most of what a short list costs.
 */
export function pageAndTotal<Item extends object>(
  rows: (Item & { total: number })[],
  key: keyof Item,
): { items: Item[]; total: number } | null {
  if (!rows[0]) return null
  return { items: rows[0][key] === null ? [] : rows, total: rows[0].total }
}
