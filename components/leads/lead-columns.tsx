import type { Choosable } from '#components/lists/columns'

export type LeadColumn = 'status' | 'step' | 'next' | 'last_event'

/** Besides the lead's identity, which always comes first. */
const OWN: { key: LeadColumn; label: string }[] = [
  { key: 'status', label: 'Status' },
  { key: 'step', label: 'Step' },
  { key: 'next', label: 'Next' },
  { key: 'last_event', label: 'Last event' },
]
export const LEAD_COLUMNS: readonly LeadColumn[] = OWN.map(({ key }) => key)

/**
 * Classes that hide a column on narrow screens, where the first column takes over its content. A table with columns of the user's own
 * list scrolls sideways instead and keeps all of them.
 */
export const beforeRoom = (column: LeadColumn, isWide: boolean): string | undefined =>
  isWide ? undefined : column === 'last_event' ? 'max-xl:hidden' : 'max-md:hidden'

const CELL = 'data.'
/** Already part of the lead's identity. */
const IN_NAME = ['email', 'first_name', 'last_name']

/** The campaign's columns, and optional ones from its list. */
export const leadColumns = (list: { key: string; label: string }[]): Choosable[] => [
  ...OWN,
  ...list.flatMap(({ key, label }) =>
    IN_NAME.includes(key) ? [] : [{ key: `${CELL}${key}`, label, isExtra: true }],
  ),
]

/** The list column that a table column shows; null for the campaign's own columns. */
export const cellKey = (column: string): string | null =>
  column.startsWith(CELL) ? column.slice(CELL.length) : null

export const isLeadColumn = (column: string): column is LeadColumn =>
  LEAD_COLUMNS.some((own) => own === column)
