import { Send } from 'lucide-react'
import type { ReactNode } from 'react'
import { DatasetStatus, isUnderway } from '#components/datasets/dataset-status'
import { ImportResult } from '#components/datasets/import-result'
import { RenameDataset } from '#components/datasets/rename-dataset'
import { Breadcrumbs } from '#components/ui/breadcrumbs'
import { ExportMenu } from '#components/ui/export-menu'
import { LinkButton } from '#components/ui/link-button'
import { LiveRefresh } from '#components/ui/live-refresh'
import { PageBody, PageHeader } from '#components/ui/page-header'
import { Tabs } from '#components/ui/tabs'
import type { Dataset } from '#lib/contracts/datasets'
import { renameDataset } from '../actions.ts'

type Props = { dataset: Dataset; tab: 'rows' | 'rejects'; children: ReactNode }

/** Name, state and the sum of the rows, over both tabs of a dataset. */
export function DatasetFrame({ dataset, tab, children }: Props) {
  const base = `/datasets/${dataset.dataset_id}`
  return (
    <>
      <PageHeader
        above={<Breadcrumbs items={[{ href: '/datasets', label: 'Datasets' }]} />}
        title={dataset.dataset_name}
        status={<DatasetStatus status={dataset.status} />}
        description={dataset.filename}
        actions={
          <>
            <RenameDataset
              name={dataset.dataset_name}
              rename={renameDataset.bind(null, dataset.dataset_id)}
            />
            {dataset.row_count > 0 && <ExportMenu path={`${base}/export`} />}
            {dataset.status === 'completed' && (
              <LinkButton variant="primary" href={`/campaigns/new?dataset_id=${dataset.dataset_id}`}>
                <Send aria-hidden /> New campaign
              </LinkButton>
            )}
          </>
        }
        below={
          <Tabs
            label="Parts of the dataset"
            tabs={[
              { href: base, label: 'Leads', count: dataset.row_count, current: tab === 'rows' },
              {
                href: `${base}/rejects`,
                label: 'Refused rows',
                count: dataset.reject_count,
                current: tab === 'rejects',
              },
            ]}
          />
        }
      />
      <PageBody>
        <ImportResult dataset={dataset} />
        {children}
        <LiveRefresh every_seconds={1} active={isUnderway(dataset)} />
      </PageBody>
    </>
  )
}
