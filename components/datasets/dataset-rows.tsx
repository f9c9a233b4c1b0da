'use client'

import dynamic from 'next/dynamic'
import { type ReactNode, useCallback, useState } from 'react'
import type { RowPage } from '#components/lists/use-row-pages'
import { VirtualTable } from '#components/lists/virtual-table'
import { Tooltip } from '#components/ui/overlays/tooltip'
import type { Query } from '#components/ui/query-href'
import type { RowLine } from './row-line.tsx'
import type { RowActs } from './rows/row-drawer.tsx'

const RowDrawer = dynamic(() => import('./rows/row-drawer.tsx').then((module) => module.RowDrawer))

/** Room for a company's name, twice as much in a column of addresses; longer cells are cut, and whole in their title. */
const COLUMN_PX = 160
const NUMBER_PX = 72

type Props = {
  path: string
  source: string
  query: Query
  dataset: { dataset_id: string; columns: { name: string; key: string }[] }
  first: RowPage<RowLine>
  head: ReactNode
  acts: RowActs
}

/** The rows in sight, of however many there are. Each opens to be read whole and edited. */
export function DatasetRows({ path, source, query, dataset, first, head, acts }: Props) {
  const { dataset_id, columns } = dataset
  const [opened, setOpened] = useState<RowLine | null>(null)
  const cells = useCallback(
    (row: RowLine) => <Cells row={row} keys={columns.map(({ key }) => key)} onOpen={setOpened} />,
    [columns],
  )
  const addresses = columns.filter(({ key }) => key === 'email').length
  return (
    <>
      <VirtualTable
        key={source}
        caption="Leads of the dataset"
        noun="leads"
        head={head}
        rowHeight={36}
        width={NUMBER_PX + (columns.length + addresses) * COLUMN_PX}
        first={first}
        source={source}
        path={path}
        query={query}
        cells={cells}
        empty={<p className="px-4 py-10 text-center text-sm text-muted">No lead matches.</p>}
      />
      {opened && (
        <RowDrawer
          key={opened.lead_index}
          row={opened}
          onClose={() => setOpened(null)}
          {...{ dataset_id, columns, acts }}
        />
      )}
    </>
  )
}

/** A cell that a session filled is underlined and says where it came from. */
function Cells({ row, keys, onOpen }: { row: RowLine; keys: string[]; onOpen: (row: RowLine) => void }) {
  return (
    <>
      <td className="sticky left-0 bg-surface text-right">
        <button
          type="button"
          aria-label={`Edit row ${row.lead_index + 1}`}
          className="min-h-6 min-w-6 text-muted underline decoration-dotted underline-offset-2 hover:text-text"
          onClick={() => onOpen(row)}
        >
          {row.lead_index + 1}
        </button>
      </td>
      {keys.map((key) => {
        const value = row.cells[key] ?? ''
        const from = row.from[key]
        return (
          <td key={key} className="truncate" title={value.length > 20 ? value : undefined}>
            {from ? <Tooltip text={from}>{value}</Tooltip> : value}
          </td>
        )
      })}
    </>
  )
}
