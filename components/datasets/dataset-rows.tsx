'use client'

import { type ReactNode, useCallback } from 'react'
import type { RowPage } from '#components/lists/use-row-pages'
import { VirtualTable } from '#components/lists/virtual-table'
import { Tooltip } from '#components/ui/overlays/tooltip'
import type { Query } from '#components/ui/query-href'
import type { RowLine } from './row-line.tsx'

/** Room for a company's name, twice as much in a column of addresses; longer cells are cut, and whole in their title. */
const COLUMN_PX = 160
const NUMBER_PX = 72

type Props = {
  path: string
  source: string
  query: Query
  keys: string[]
  first: RowPage<RowLine>
  head: ReactNode
}

/** The rows in sight, of however many there are. */
export function DatasetRows({ path, source, query, keys, first, head }: Props) {
  const cells = useCallback((row: RowLine) => <Cells row={row} keys={keys} />, [keys])
  return (
    <VirtualTable
      key={source}
      caption="Leads of the dataset"
      noun="leads"
      head={head}
      columns={keys.length + 1}
      rowHeight={36}
      width={NUMBER_PX + (keys.length + Number(keys.includes('email'))) * COLUMN_PX}
      first={first}
      source={source}
      path={path}
      query={query}
      cells={cells}
      empty={<p className="px-4 py-10 text-center text-sm text-muted">No lead matches.</p>}
    />
  )
}

/** A cell that a session filled is underlined and says where it came from. */
function Cells({ row, keys }: { row: RowLine; keys: string[] }) {
  return (
    <>
      <td className="sticky left-0 bg-surface text-right text-muted">{row.lead_index + 1}</td>
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
