'use client'

import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react'
import { tickFocused } from '#components/lists/selection'
import { Checkbox } from '#components/ui/controls/checkbox'
import { toast } from '#components/ui/overlays/toast'

type Rows = ReadonlyMap<string, unknown>
type Ticks = { rows: Rows; tick: (id: string, row: unknown, isTicked: boolean) => void }

const NONE: Rows = new Map()
const Place = createContext<Ticks>({ rows: NONE, tick: () => undefined })

/**
 * A selection of rows that scroll out of the document and stay ticked: the rows themselves are kept, by their id, at most
 * `most` of them. `place` goes around the table, whose rows each have a `RowTick`.
 */
export function useKeptSelection<T>(most: number) {
  const [rows, setRows] = useState<ReadonlyMap<string, T>>(NONE as ReadonlyMap<string, T>)
  const isFull = rows.size >= most
  const tick = useCallback(
    (id: string, row: unknown, isTicked: boolean) => {
      if (isTicked && isFull)
        return void toast.error(`At most ${most.toLocaleString('en')} are changed at once.`)
      setRows((before) => {
        const after = new Map(before)
        if (isTicked) after.set(id, row as T)
        else after.delete(id)
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

/** The box of one row; `row` is what is known of it when something is done to the selection. */
export function RowTick({ id, row, label }: { id: string; row: unknown; label: string }) {
  const { rows, tick } = useContext(Place)
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
