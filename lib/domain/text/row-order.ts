/** For each order of rows, the value that is compared; dates by their instant. */
export type Orders<Row> = Record<string, (row: Row) => string | number | Date | null>

/** Each order's name as in a query: ascending, and descending with a leading minus. */
export function bothWays<const Name extends string>([first, ...others]: readonly [Name, ...Name[]]): [
  Name,
  ...(Name | `-${Name}`)[],
] {
  return [first, `-${first}`, ...others.flatMap((name): (Name | `-${Name}`)[] => [name, `-${name}`])]
}

/** Sorts rows by one of their values, those without it last. Stable, and unchanged without an order. */
export function sortRows<Row>(rows: readonly Row[], orders: Orders<Row>, sort: string | undefined): Row[] {
  const name = sort?.replace(/^-/, '')
  const toValue = name !== undefined && Object.hasOwn(orders, name) ? orders[name] : undefined
  if (!toValue) return [...rows]
  const way = sort?.startsWith('-') ? -1 : 1
  return rows.toSorted((one, other) => {
    const [a, b] = [toValue(one), toValue(other)]
    if (a === null || b === null) return Number(a === null) - Number(b === null)
    const isLess =
      typeof a === 'string' || typeof b === 'string' ? `${a}`.localeCompare(`${b}`) : Number(a) - Number(b)
    return way * isLess
  })
}

/**
 * A page of a short list. With an order, the whole list was read and is sorted here, so that names follow the user's alphabet
 * whatever Postgres' collation is; without one, only this page was read.
 */
export function sortedPage<Row>(
  rows: Row[],
  orders: Orders<Row>,
  { sort, page, page_size }: { sort?: string | undefined; page: number; page_size: number },
): Row[] {
  if (sort === undefined) return rows
  return sortRows(rows, orders, sort).slice((page - 1) * page_size, page * page_size)
}
