'use client'

import {
  type Context,
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useState,
} from 'react'
import { tickFocused } from '#components/lists/selection'
import { Checkbox } from '#components/ui/controls/checkbox'
import { toast } from '#components/ui/overlays/toast'

type Rows<T> = ReadonlyMap<string, T>
type Ticks<T> = { rows: Rows<T>; tick: (id: string, row: T, isTicked: boolean) => void }

const none = <T,>(): Rows<T> => new Map()

/** Context for the selected rows of one kind, shared by the checkboxes and the actions. */
export const createTicks = <T,>() => createContext<Ticks<T>>({ rows: none(), tick: () => undefined })

/**
 * A selection that includes rows no longer in the document. Keeps the rows themselves by id, at most `most`
 * of them. `Place` wraps the table, whose rows each have a `RowTick`.
 */
export function useKeptSelection<T>(Place: Context<Ticks<T>>, most: number) {
  const [rows, setRows] = useState<Rows<T>>(none)
  const isFull = rows.size >= most
  const tick = useCallback(
    (id: string, row: T, isTicked: boolean) => {
      if (isTicked && isFull)
        return void toast.error(`At most ${most.toLocaleString('en')} can be changed at once.`)
      setRows((before) => {
        const after = new Map(before)
        // A page is selected as a whole, and its last rows may exceed the limit.
        if (isTicked && after.size < most) after.set(id, row)
        else if (!isTicked) after.delete(id)
        return after
      })
    },
    [isFull, most],
  )
  useEffect(() => {
    document.addEventListener('keydown', tickFocused)
    return () => document.removeEventListener('keydown', tickFocused)
  }, [])
  const ticks = useMemo(() => ({ rows, tick }), [rows, tick])
  const place = (table: ReactNode) => <Place value={ticks}>{table}</Place>
  return {
    rows: [...rows.values()],
    place,
    clear: () => setRows(new Map()),
    replace: (all: [id: string, row: T][]) => setRows(new Map(all.slice(0, most))),
  }
}

type TickProps<T> = { kept: Context<Ticks<T>>; id: string; row: T; label: string }

/** The checkbox of one row; `row` is the data that bulk actions need. */
export function RowTick<T>({ kept, id, row, label }: TickProps<T>) {
  const { rows, tick } = useContext(kept)
  return (
    <Checkbox
      label={label}
      hideLabel
      data-select
      value={id}
      checked={rows.has(id)}
      onChange={({ currentTarget }) => tick(id, row, currentTarget.checked)}
      autoComplete="off"
    />
  )
}

type PageTickProps<T> = { kept: Context<Ticks<T>>; shown: [id: string, row: T][] }

/** The checkbox for a page: selects all of its rows and keeps the selection on other pages. */
export function PageTick<T>({ kept, shown }: PageTickProps<T>) {
  const { rows, tick } = useContext(kept)
  const ticked = shown.filter(([id]) => rows.has(id)).length
  return (
    <Checkbox
      label="Select all that are shown"
      hideLabel
      checked={shown.length > 0 && ticked === shown.length}
      onChange={({ currentTarget }) => {
        for (const [id, row] of shown) tick(id, row, currentTarget.checked)
      }}
      autoComplete="off"
    />
  )
}
