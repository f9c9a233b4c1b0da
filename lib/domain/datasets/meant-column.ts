import { fieldNamed, headerKey } from '#lib/domain/datasets/header-names'

/** Whether a slip of the hand may lie between two names: one place where at most two letters differ. */
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
 * The column that somebody meant by a merge field which is none: spelled otherwise (`firstName`), called as elsewhere
 * (`companyName` for `company`), or mistyped (`frist_name`). Null where none is near.
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
