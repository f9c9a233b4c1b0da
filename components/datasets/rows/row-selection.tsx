'use client'

import dynamic from 'next/dynamic'
import type { ReactNode } from 'react'
import { createTicks, RowTick, useKeptSelection } from '#components/lists/kept-selection'
import type { RowLine } from '../row-line.tsx'
import type { SelectedRowActs } from './row-bar.tsx'

// Loaded when a row is selected: the page's script budget is tight.
const RowBar = dynamic(() => import('./row-bar.tsx').then((module) => module.RowBar), { loading: () => null })

const TickedRows = createTicks<RowLine>()

type Props = {
  acts: SelectedRowActs
  total: number
  columns: { name: string; key: string }[]
  children: ReactNode
}

export const DatasetRowTick = ({ row }: { row: RowLine }) => (
  <RowTick
    kept={TickedRows}
    id={String(row.lead_index)}
    row={row}
    label={`Select row ${row.lead_index + 1}`}
  />
)

/** The selected rows are exported or removed together, however far apart they are. */
export function RowSelection({ acts, total, columns, children }: Props) {
  const { rows, place, clear, replace } = useKeptSelection(TickedRows, acts.most)
  return (
    <>
      {place(children)}
      {rows.length > 0 && <RowBar {...{ acts, total, columns, rows, clear, replace }} />}
    </>
  )
}
