import { fieldNamed, headerKey } from '#lib/domain/datasets/header-names'

/** Whether one name may be a typing error of the other: at most two letters differ, in one place. */
function isSlip(name: string, column: string): boolean {
  let start = 0
  while (start < name.length && start < column.length && name[start] === column[start]) start++
  let end = 0
  const rest = Math.min(name.length, column.length) - start
  while (end < rest && name.at(-1 - end) === column.at(-1 - end)) end++
  const longest = Math.max(name.length, column.length)
  return longest > 4 && longest - start - end <= 2
}

/**
 * The column that was probably meant by an unknown merge field: spelled differently (`firstName`), named as elsewhere
 * (`companyName` for `company`), or mistyped (`frist_name`). Null if none is close.
 */
export function meantColumn(name: string, columns: ReadonlySet<string>): string | null {
  const key = headerKey(name)
  const named = fieldNamed(name)
  const near = [...columns].filter((column) => isSlip(key, headerKey(column)))
  return (
    [...columns].find((column) => headerKey(column) === key) ??
    (named !== null && columns.has(named) ? named : null) ??
    (near.length === 1 ? (near[0] ?? null) : null)
  )
}
