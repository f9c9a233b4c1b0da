'use client'

import dynamic from 'next/dynamic'
import type { ReactNode } from 'react'
import { createTicks, RowTick, useKeptSelection } from '#components/lists/kept-selection'
import type { RowLine } from '../row-line.tsx'
import type { SelectedRowActs } from './row-bar.tsx'

// Once something is ticked: a page of rows has no script to spare.
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

/** What is ticked, however far apart, is exported or removed together. */
export function RowSelection({ acts, total, columns, children }: Props) {
  const { rows, place, clear, replace } = useKeptSelection(TickedRows, acts.most)
  return (
    <>
      {place(children)}
      {rows.length > 0 && <RowBar {...{ acts, total, columns, rows, clear, replace }} />}
    </>
  )
}
