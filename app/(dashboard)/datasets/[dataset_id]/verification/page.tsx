import { ShieldCheck } from 'lucide-react'
import type { Metadata } from 'next'
import { isUnderway } from '#components/datasets/dataset-status'
import { ImportResult } from '#components/datasets/import-result'
import { VerificationSummary } from '#components/datasets/verification/verification-summary'
import { VerifiedRows } from '#components/datasets/verification/verified-rows'
import { VerifyAddresses } from '#components/datasets/verification/verify-addresses'
import { EmptyState } from '#components/ui/feedback/empty-state'
import { Panel } from '#components/ui/layout/panel'
import { ReadDataset } from '#lib/contracts/datasets/datasets'
import { ListVerifiedRows, ReadDatasetVerification } from '#lib/contracts/enrichment/verification'
import { requireUser } from '#lib/http/session'
import { getDataset } from '#lib/services/datasets/datasets'
import { listVerifiedRows, readDatasetVerification } from '#lib/services/enrichment/verification'
import { orNotFound, parseParams, parseQuery } from '../../../../page-input.ts'
import { verifyAddresses } from '../actions.ts'
import { DatasetFrame } from '../frame.tsx'

export const metadata: Metadata = { title: 'Verification' }

export default async function VerificationPage({
  params,
  searchParams,
}: PageProps<'/datasets/[dataset_id]/verification'>) {
  const { workspace_id } = await requireUser()
  const { dataset_id } = parseParams(ReadDataset.params, await params)
  const query = parseQuery(ListVerifiedRows.query, await searchParams)
  const dataset = ReadDataset.response.parse(await orNotFound(getDataset(workspace_id, dataset_id)))
  const [found, rows] = await Promise.all([
    readDatasetVerification(workspace_id, dataset_id),
    listVerifiedRows(workspace_id, dataset_id, query),
  ])
  const counts = ReadDatasetVerification.response.parse(found)
  const isAnew = counts.unverified < counts.rows - counts.without_address
  const verify = (
    <VerifyAddresses
      providers={counts.providers}
      verify={verifyAddresses.bind(null, dataset_id)}
      is_busy={isUnderway(dataset)}
      isAnew={isAnew}
    />
  )
  return (
    <DatasetFrame dataset={dataset} tab="verification">
      {isUnderway(dataset) && <ImportResult dataset={dataset} />}
      {isAnew ? (
        <>
          <VerificationSummary found={counts} dataset_id={dataset_id} />
          <div>{verify}</div>
          <VerifiedRows
            path={`/datasets/${dataset_id}/verification`}
            query={query}
            verified={ListVerifiedRows.response.parse(rows)}
            counts={counts}
            now={new Date().toISOString()}
          />
        </>
      ) : (
        <Panel>
          <EmptyState
            icon={<ShieldCheck />}
            title="No addresses verified yet"
            description="Verification finds addresses that would bounce before you send to them. Campaigns skip invalid ones."
            action={verify}
          />
        </Panel>
      )}
    </DatasetFrame>
  )
}
