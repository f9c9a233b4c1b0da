import type { Metadata } from 'next'
import { FoundTable } from '#components/datasets/found-table'
import { ReadDataset } from '#lib/contracts/datasets/datasets'
import { ListFoundEmails } from '#lib/contracts/enrichment/email-finder'
import { requireUser } from '#lib/http/session'
import { getDataset } from '#lib/services/datasets/datasets'
import { listFoundEmails, peopleOfRows } from '#lib/services/enrichment/email-finder-sessions'
import { orNotFound, parseParams, parseQuery } from '../../../../../page-input.ts'
import { DatasetFrame } from '../../frame.tsx'

export const metadata: Metadata = { title: 'Addresses found' }

export default async function FoundPage({
  params,
  searchParams,
}: PageProps<'/datasets/[dataset_id]/sessions/[session_id]'>) {
  const user = await requireUser()
  const { dataset_id, session_id } = parseParams(ListFoundEmails.params, await params)
  const query = parseQuery(ListFoundEmails.query, await searchParams)
  const dataset = ReadDataset.response.parse(await orNotFound(getDataset(user.workspace_id, dataset_id)))
  const results = ListFoundEmails.response.parse(
    await orNotFound(listFoundEmails(user.workspace_id, dataset_id, session_id, query)),
  )
  const people = await peopleOfRows(
    user.workspace_id,
    dataset_id,
    results.items.map(({ lead_index }) => lead_index),
  )
  return (
    <DatasetFrame dataset={dataset} tab="sessions">
      <FoundTable
        path={`/datasets/${dataset_id}/sessions/${session_id}`}
        query={query}
        found={results}
        people={people}
      />
    </DatasetFrame>
  )
}
