import { Send } from 'lucide-react'
import type { ReactNode } from 'react'
import { DatasetStatus, isUnderway } from '#components/datasets/dataset-status'
import { ImportResult } from '#components/datasets/import-result'
import { RenameDataset } from '#components/datasets/rename-dataset'
import { AddRows } from '#components/datasets/rows/add-rows'
import { SyncRows } from '#components/datasets/rows/sync-rows'
import { SessionForms } from '#components/datasets/sessions/session-forms'
import { ChangingLink } from '#components/ui/controls/changing-link'
import { SharedWork } from '#components/ui/controls/lock'
import { LiveRefresh } from '#components/ui/feedback/live-refresh'
import { Breadcrumbs } from '#components/ui/layout/breadcrumbs'
import { PageBody, PageHeader } from '#components/ui/layout/page-header'
import { Tabs } from '#components/ui/layout/tabs'
import { ExportMenu } from '#components/ui/overlays/export-menu'
import type { Output } from '#lib/contracts/contract'
import type { ReadDataset } from '#lib/contracts/datasets/datasets'
import { ReadSheetAccounts, SheetLink } from '#lib/contracts/datasets/google-sheets'
import { ListEnrichmentProviders } from '#lib/contracts/enrichment/dataset-sessions'
import { requireUser } from '#lib/http/session'
import { listEnrichmentProviders } from '#lib/services/enrichment/providers'
import { readSheetAccounts } from '#lib/services/leads/rows/sheets/accounts'
import { readSheetLink } from '#lib/services/leads/rows/sheets/links'
import { fetchLink, renameDataset, startUpload } from '../actions.ts'
import {
  addRows,
  compareTable,
  connectSheets,
  disconnectSheets,
  enrich,
  extract,
  fetchSheet,
  findAddresses,
  syncTable,
} from './actions.ts'

type Props = {
  dataset: Output<typeof ReadDataset>
  tab: 'rows' | 'verification' | 'forms' | 'sessions' | 'rejects'
  /** The user returns from connecting an account that can read sheets. */
  isBackFromSheets?: boolean
  children: ReactNode
}

/** Name, status and row count, above all tabs of a dataset. */
export function DatasetFrame({ dataset, tab, isBackFromSheets = false, children }: Props) {
  const base = `/datasets/${dataset.dataset_id}`
  const isImporting = dataset.work === 'import' && isUnderway(dataset)
  return (
    <>
      <PageHeader
        above={<Breadcrumbs items={[{ href: '/datasets', label: 'Datasets' }]} />}
        title={dataset.dataset_name}
        status={<DatasetStatus dataset={dataset} />}
        description={dataset.filename}
        actions={
          <>
            <RenameDataset
              dataset_id={dataset.dataset_id}
              name={dataset.dataset_name}
              version={dataset.version}
              rename={renameDataset.bind(null, dataset.dataset_id)}
            />
            {dataset.row_count > 0 && <ExportMenu path={`${base}/export`} sources />}
            {dataset.row_count > 0 && !isImporting && (
              // The pages of refused rows and forms have a main action of their own.
              <SharedWork>
                <ChangingLink
                  variant={tab === 'rejects' || tab === 'forms' ? 'secondary' : 'primary'}
                  href={`/campaigns/new?dataset_id=${dataset.dataset_id}`}
                >
                  <Send aria-hidden /> New campaign
                </ChangingLink>
              </SharedWork>
            )}
          </>
        }
        below={<DatasetTabs dataset={dataset} tab={tab} />}
      />
      <PageBody>
        {(tab === 'rows' || tab === 'rejects') && (
          <ImportResult dataset={dataset} isRejects={tab === 'rejects'} />
        )}
        {(tab === 'rows' || tab === 'sessions') && !isImporting && (
          <RowWork dataset={dataset} isBack={isBackFromSheets} />
        )}
        {children}
        <LiveRefresh every_seconds={1} active={isUnderway(dataset)} watch="datasets" />
      </PageBody>
    </>
  )
}

/** Actions to add rows and to enrich them. */
async function RowWork({ dataset, isBack }: Pick<Props, 'dataset'> & { isBack: boolean }) {
  const { dataset_id } = dataset
  const { workspace_id } = await requireUser()
  const { items: providers } = ListEnrichmentProviders.response.parse(
    await listEnrichmentProviders(workspace_id, dataset_id, { page: 1, page_size: 100 }),
  )
  const [link, accounts] = await Promise.all([
    readSheetLink(workspace_id, dataset_id),
    readSheetAccounts(workspace_id),
  ])
  return (
    <div className="flex flex-wrap gap-2">
      <AddRows
        noun="rows"
        columns={dataset.columns}
        add={addRows.bind(null, dataset_id)}
        description="Campaigns already launched on this dataset do not pick them up. Add leads to the campaign instead."
      />
      <SyncRows
        isBack={isBack}
        sheets={{
          link: link && SheetLink.parse(link),
          ...ReadSheetAccounts.response
            .transform(({ items, vendor }) => ({ accounts: items, vendor }))
            .parse(accounts),
        }}
        acts={{
          connect: connectSheets.bind(null, dataset_id),
          disconnect: disconnectSheets,
          fetchSheet: fetchSheet.bind(null, dataset_id),
          upload: startUpload,
          fetchLink,
          compare: compareTable.bind(null, dataset_id),
          sync: syncTable.bind(null, dataset_id),
        }}
      />
      <SessionForms
        columns={dataset.columns}
        providers={providers}
        is_busy={isUnderway(dataset) && dataset.work !== 'personalization'}
        acts={{
          enrich: enrich.bind(null, dataset_id),
          extract: extract.bind(null, dataset_id),
          find: findAddresses.bind(null, dataset_id),
        }}
      />
    </div>
  )
}

function DatasetTabs({ dataset, tab }: Pick<Props, 'dataset' | 'tab'>) {
  const base = `/datasets/${dataset.dataset_id}`
  return (
    <Tabs
      label="Dataset sections"
      tabs={[
        { href: base, label: 'Leads', count: dataset.row_count, current: tab === 'rows' },
        { href: `${base}/verification`, label: 'Verification', current: tab === 'verification' },
        { href: `${base}/forms`, label: 'Forms', current: tab === 'forms' },
        { href: `${base}/sessions`, label: 'Sessions', current: tab === 'sessions' },
        {
          href: `${base}/rejects`,
          label: 'Refused rows',
          count: dataset.reject_count,
          current: tab === 'rejects',
        },
      ]}
    />
  )
}
