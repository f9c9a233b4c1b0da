'use client'

import dynamic from 'next/dynamic'
import { type ReactNode, useCallback, useMemo, useState } from 'react'
import type { RowPage } from '#components/lists/use-row-pages'
import { VirtualTable } from '#components/lists/virtual-table'
import { Tooltip } from '#components/ui/overlays/tooltip'
import type { Query } from '#components/ui/query-href'
import { ownValue } from '#lib/domain/text/own-value'
import { columnLabel } from './lead-fields.tsx'
import type { RowLine } from './row-line.tsx'
import { CellButton, loadEditor, moveAmongCells } from './rows/cell.tsx'
import type { RowActs } from './rows/row-drawer.tsx'
import { DatasetRowTick } from './rows/row-selection.tsx'
import { useCellEdits } from './rows/use-cell-edits.tsx'

// Preloaded when a cell gets the focus or the pointer, so that editing starts without a delay.
const CellEditor = dynamic(() => loadEditor().then((module) => module.CellEditor), { loading: () => null })
const RowDrawer = dynamic(() => import('./rows/row-drawer.tsx').then((module) => module.RowDrawer), {
  loading: () => null,
})

/**
 * Wide enough for a company name; address columns are twice as wide. Longer cells are truncated, with a
 * title.
 */
const COLUMN_PX = 160
const NUMBER_PX = 104

type Shown = { key: string; label: string }

type Props = {
  path: string
  source: string
  query: Query
  dataset: { dataset_id: string; columns: { name: string; key: string }[] }
  /** The visible columns in order; an opened row shows all of them. */
  shown: { name: string; key: string }[]
  first: RowPage<RowLine>
  head: ReactNode
  acts: RowActs
  /** Rows can be ticked. */
  isSelectable: boolean
}

/** The visible part of any number of rows. Each row can be opened to read and edit it. */
export function DatasetRows({ path, source, query, dataset, shown, first, head, acts, isSelectable }: Props) {
  const { dataset_id, columns } = dataset
  const [opened, setOpened] = useState<RowLine | null>(null)
  const labelled = useMemo(
    () => shown.map((column) => ({ key: column.key, label: columnLabel(column) })),
    [shown],
  )
  const edits = useCellEdits(acts.cell, labelled)
  // biome-ignore lint/correctness/useExhaustiveDependencies: all that they say of a row follows from their `state`
  const cells = useCallback(
    (row: RowLine) => (
      <Cells row={edits.latest(row)} columns={labelled} onOpen={setOpened} {...{ edits, isSelectable }} />
    ),
    [labelled, edits.state, isSelectable],
  )
  const addresses = shown.filter(({ key }) => key === 'email').length
  return (
    <>
      <VirtualTable
        key={source}
        caption="Dataset leads"
        noun="leads"
        head={head}
        rowHeight={36}
        width={NUMBER_PX + (shown.length + addresses) * COLUMN_PX}
        first={first}
        source={source}
        path={path}
        query={query}
        cells={cells}
        empty={<p className="px-4 py-10 text-center text-sm text-muted">No rows match.</p>}
      />
      {opened && (
        <RowDrawer
          key={opened.lead_index}
          row={edits.latest(opened)}
          onClose={() => setOpened(null)}
          {...{ dataset_id, columns, acts }}
        />
      )}
    </>
  )
}

type CellsProps = {
  row: RowLine
  columns: Shown[]
  edits: ReturnType<typeof useCellEdits>
  onOpen: (row: RowLine) => void
  isSelectable: boolean
}

/** A cell filled by a session is underlined and names its source. */
function Cells({ row, columns, edits, onOpen, isSelectable }: CellsProps) {
  return (
    <>
      <td className="sticky left-0 z-[5] bg-surface">
        <div className="flex items-center justify-between gap-2">
          {isSelectable && <DatasetRowTick row={row} />}
          <button
            type="button"
            data-row-link
            aria-label={`Edit row ${row.lead_index + 1}`}
            aria-description={edits.mayEdit ? 'Arrow right leads into its cells, Enter edits one' : undefined}
            className="ml-auto min-h-6 min-w-6 text-right text-muted underline decoration-dotted underline-offset-2 hover:text-text"
            onClick={() => onOpen(row)}
            onKeyDown={moveAmongCells}
          >
            {row.lead_index + 1}
          </button>
        </div>
      </td>
      {columns.map((column) => (
        <Cell key={column.key} {...{ row, column, edits, onOpen }} />
      ))}
    </>
  )
}

function Cell({
  row,
  column: { key, label },
  edits,
  onOpen,
}: Omit<CellsProps, 'columns' | 'isSelectable'> & { column: Shown }) {
  const value = ownValue(row.cells, key) ?? ''
  const from = ownValue(row.from, key)
  if (edits.isEdited(row, key))
    return (
      <td className="overflow-visible!">
        <CellEditor
          {...{ label, value, from }}
          place={row.lead_index + 1}
          save={(written) => edits.save(row, key, written)}
          onDone={(way) => edits.done(row, key, way)}
        />
      </td>
    )
  if (!edits.mayEdit)
    return (
      <td className="truncate" title={value.length > 20 ? value : undefined}>
        {from ? <Tooltip text={from}>{value}</Tooltip> : value}
      </td>
    )
  return (
    <td>
      <CellButton
        {...{ value, from }}
        isBack={edits.isBack(row, key)}
        // A cell's input shows one line only, so cells with several lines open the whole row.
        onEdit={() => (value.includes('\n') ? onOpen(row) : edits.open(row, key))}
      />
    </td>
  )
}
