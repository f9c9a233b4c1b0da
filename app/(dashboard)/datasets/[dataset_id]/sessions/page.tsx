import type { Metadata } from 'next'
import { SessionPanel } from '#components/datasets/session-panel'
import { Pagination } from '#components/ui/layout/pagination'
import { ReadDataset } from '#lib/contracts/datasets/datasets'
import { ListDatasetSessions } from '#lib/contracts/enrichment/dataset-sessions'
import { requireUser } from '#lib/http/session'
import { getDataset } from '#lib/services/datasets/datasets'
import { listDatasetSessions } from '#lib/services/enrichment/sessions'
import { orNotFound, parseParams, parseQuery } from '../../../../page-input.ts'
import { cancelSession, undoSession } from '../actions.ts'
import { DatasetFrame } from '../frame.tsx'

export const metadata: Metadata = { title: 'Sessions of a dataset' }

export default async function SessionsPage({
  params,
  searchParams,
}: PageProps<'/datasets/[dataset_id]/sessions'>) {
  const user = await requireUser()
  const { dataset_id } = parseParams(ReadDataset.params, await params)
  const query = parseQuery(ListDatasetSessions.query, await searchParams)
  const dataset = ReadDataset.response.parse(await orNotFound(getDataset(user.workspace_id, dataset_id)))
  const { items, ...list } = ListDatasetSessions.response.parse(
    await listDatasetSessions(user.workspace_id, dataset_id, query),
  )
  const now = new Date().toISOString()
  const acts = { cancel: cancelSession, undo: undoSession }
  return (
    <DatasetFrame dataset={dataset} tab="sessions">
      {items.map((session) => (
        <SessionPanel key={session.session_id} session={session} now={now} acts={acts} />
      ))}
      {list.total > list.page_size && (
        <Pagination path={`/datasets/${dataset_id}/sessions`} query={query} {...list} noun="sessions" />
      )}
    </DatasetFrame>
  )
}
