/** Of each order that rows can be put in, what it compares of one; a date as its instant. */
export type Orders<Row> = Record<string, (row: Row) => string | number | Date | null>

/** Each order as an address names it, from the first and, with a minus, from the last. */
export function bothWays<const Name extends string>([first, ...others]: readonly [Name, ...Name[]]): [
  Name,
  ...(Name | `-${Name}`)[],
] {
  return [first, `-${first}`, ...others.flatMap((name): (Name | `-${Name}`)[] => [name, `-${name}`])]
}

/** Rows by one of their values, those without it last; among equals, and without an order, as they were. */
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
 * A page of a short list that was read whole where an order is asked for, and of which otherwise this page alone was read: so
 * names go by the alphabet of people, whatever Postgres takes for one.
 */
export function sortedPage<Row>(
  rows: Row[],
  orders: Orders<Row>,
  { sort, page, page_size }: { sort?: string | undefined; page: number; page_size: number },
): Row[] {
  if (sort === undefined) return rows
  return sortRows(rows, orders, sort).slice((page - 1) * page_size, page * page_size)
}
