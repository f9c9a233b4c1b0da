import { Pagination } from '#components/ui/pagination'
import { Panel } from '#components/ui/panel'
import type { Query } from '#components/ui/query-href'
import { SearchInput } from '#components/ui/search-input'
import { Table, Td, Th, Tr } from '#components/ui/table'
import { Tooltip } from '#components/ui/tooltip'
import type { Output } from '#lib/contracts/contract'
import type { DatasetCellChange } from '#lib/contracts/dataset-sessions'
import type { ListDatasetRows, ReadDataset } from '#lib/contracts/datasets'
import { provenanceText } from './session-words.ts'

type Props = {
  path: string
  query: Query
  columns: Output<typeof ReadDataset>['columns']
  rows: Output<typeof ListDatasetRows>
  /** Where cells of these rows came from, by row and field. */
  provenance: Record<string, Record<string, DatasetCellChange>>
}

/** The leads as the cells showed them. Wide by nature, so it scrolls sideways under a fixed first column. */
export function RowTable({ path, query, columns, rows, provenance }: Props) {
  return (
    <Panel
      title="Leads"
      flush
      action={<SearchInput path={path} query={query} label="Search addresses" className="w-full sm:w-64" />}
    >
      <Table caption="Leads of the dataset" narrow="scroll">
        <thead>
          <tr>
            <Th className="sticky left-0 bg-surface" numeric>
              #
            </Th>
            {columns.map((column) => (
              <Th key={column.key} title={column.name === column.key ? undefined : `Column “${column.name}”`}>
                {column.key}
              </Th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.items.map((row) => (
            <Tr key={row.lead_index}>
              <Td className="sticky left-0 h-9 bg-surface text-muted" numeric>
                {row.lead_index + 1}
              </Td>
              {columns.map((column) => (
                <Td key={column.key} className="h-9 max-w-64 truncate">
                  <Cell
                    value={String(row.data[column.key] ?? '')}
                    from={provenance[row.lead_index]?.[column.key]}
                  />
                </Td>
              ))}
            </Tr>
          ))}
        </tbody>
      </Table>
      {rows.items.length === 0 && (
        <p className="px-4 py-10 text-center text-sm text-muted">No lead matches.</p>
      )}
      <Pagination
        path={path}
        query={query}
        page={rows.page}
        page_size={rows.page_size}
        total={rows.total}
        noun="leads"
      />
    </Panel>
  )
}

/** A cell that a session filled is underlined and says where it came from; one that was changed since is not. */
function Cell({ value, from }: { value: string; from: DatasetCellChange | undefined }) {
  if (!from || from.new_value !== value) return value
  return <Tooltip text={provenanceText(from)}>{value}</Tooltip>
}
