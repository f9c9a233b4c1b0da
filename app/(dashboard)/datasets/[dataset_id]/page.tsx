import type { Metadata } from 'next'
import { RowTable } from '#components/datasets/row-table'
import { ListDatasetRows, ReadDataset } from '#lib/contracts/datasets'
import { requireUser } from '#lib/http/session'
import { provenanceOf } from '#lib/services/dataset-sessions'
import { getDataset, listDatasetRows } from '#lib/services/datasets'
import { found, paramsOf, queryOf } from '../../../page-input.ts'
import { DatasetFrame } from './frame.tsx'

export const metadata: Metadata = { title: 'Dataset' }

export default async function DatasetPage({ params, searchParams }: PageProps<'/datasets/[dataset_id]'>) {
  const user = await requireUser()
  const { dataset_id } = paramsOf(ReadDataset.params, await params)
  const query = queryOf(ListDatasetRows.query, await searchParams)
  const dataset = ReadDataset.response.parse(await found(getDataset(user.user_id, dataset_id)))
  const rows = ListDatasetRows.response.parse(await listDatasetRows(user.user_id, dataset_id, query))
  const indexes = rows.items.map(({ lead_index }) => lead_index)
  const provenance = await provenanceOf(user.user_id, dataset_id, indexes)
  return (
    <DatasetFrame dataset={dataset} tab="rows">
      {dataset.row_count > 0 && (
        <RowTable
          path={`/datasets/${dataset_id}`}
          query={query}
          columns={dataset.columns}
          rows={rows}
          provenance={provenance}
        />
      )}
    </DatasetFrame>
  )
}
