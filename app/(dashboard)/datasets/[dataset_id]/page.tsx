import type { Metadata } from 'next'
import { columnLabel } from '#components/datasets/lead-fields'
import { RowTable } from '#components/datasets/row-table'
import { MAX_ROWS_REMOVED } from '#lib/contracts/datasets/dataset-rows'
import { ReadDataset } from '#lib/contracts/datasets/datasets'
import { requireUser } from '#lib/http/session'
import { countAlsoIn } from '#lib/services/datasets/also-in'
import { getDataset } from '#lib/services/datasets/datasets'
import { orNotFound, parseParams } from '../../../page-input.ts'
import { columnChoice } from '../../kept-columns.ts'
import { editCell, editRow, removeRow, removeRows, selectableRows } from './actions.ts'
import { DatasetFrame } from './frame.tsx'
import { rowPage, rowsQuery } from './row-page.ts'

export const metadata: Metadata = { title: 'Dataset' }

export default async function DatasetPage({ params, searchParams }: PageProps<'/datasets/[dataset_id]'>) {
  const user = await requireUser()
  const { dataset_id } = parseParams(ReadDataset.params, await params)
  const { sheets, ...asked } = await searchParams
  const { filters, query } = rowsQuery(asked)
  const [dataset, first] = await Promise.all([
    orNotFound(getDataset(user.workspace_id, dataset_id)),
    rowPage(user.workspace_id, dataset_id, query),
  ])
  const { row_count } = dataset
  const path = `/datasets/${dataset_id}`
  const all = dataset.columns.map((column) => ({ key: column.key, label: columnLabel(column) }))
  const also_in = row_count > 0 ? await countAlsoIn(user.workspace_id, dataset) : null
  return (
    <DatasetFrame
      dataset={ReadDataset.response.parse(dataset)}
      tab="rows"
      isBackFromSheets={sheets === 'connected'}
    >
      {row_count > 0 && (
        <RowTable
          path={path}
          choice={await columnChoice({ table: 'rows', path, all })}
          query={filters}
          dataset={{ dataset_id, columns: dataset.columns }}
          first={first}
          rows={row_count}
          also_in={also_in}
          acts={{
            edit: editRow.bind(null, dataset_id),
            remove: removeRow.bind(null, dataset_id),
            cell: editCell.bind(null, dataset_id),
          }}
          selected={{
            remove: removeRows.bind(null, dataset_id),
            all: selectableRows.bind(null, dataset_id, filters),
            most: MAX_ROWS_REMOVED,
          }}
        />
      )}
    </DatasetFrame>
  )
}
