import type { Metadata } from 'next'
import { RejectTable } from '#components/datasets/reject-table'
import { EmptyState } from '#components/ui/feedback/empty-state'
import { Panel } from '#components/ui/layout/panel'
import { ListDatasetRejects, ReadDataset } from '#lib/contracts/datasets/datasets'
import { requireUser } from '#lib/http/session'
import { getDataset, listDatasetRejects } from '#lib/services/datasets/datasets'
import { orNotFound, parseParams, parseQuery } from '../../../../page-input.ts'
import { importFixed } from '../actions.ts'
import { DatasetFrame } from '../frame.tsx'

export const metadata: Metadata = { title: 'Refused rows' }

export default async function RejectsPage({
  params,
  searchParams,
}: PageProps<'/datasets/[dataset_id]/rejects'>) {
  const user = await requireUser()
  const { dataset_id } = parseParams(ReadDataset.params, await params)
  const query = parseQuery(ListDatasetRejects.query, await searchParams)
  const dataset = ReadDataset.response.parse(await orNotFound(getDataset(user.workspace_id, dataset_id)))
  const rejects = ListDatasetRejects.response.parse(
    await listDatasetRejects(user.workspace_id, dataset_id, query),
  )
  return (
    <DatasetFrame dataset={dataset} tab="rejects">
      {rejects.total > 0 ? (
        <RejectTable
          path={`/datasets/${dataset_id}/rejects`}
          query={query}
          rejects={rejects}
          importFixed={importFixed.bind(null, dataset_id)}
        />
      ) : (
        <Panel>
          <EmptyState title="No rows refused" description="Every row in the file became a lead." />
        </Panel>
      )}
    </DatasetFrame>
  )
}
