import { Database } from 'lucide-react'
import type { Metadata } from 'next'
import { isUnderway } from '#components/datasets/dataset-status'
import { DatasetTable } from '#components/datasets/dataset-table'
import { ActionButton } from '#components/ui/controls/action-button'
import { ChangingLink } from '#components/ui/controls/changing-link'
import { LinkButton } from '#components/ui/controls/link-button'
import { SearchInput } from '#components/ui/controls/search-input'
import { Callout } from '#components/ui/feedback/callout'
import { EmptyState } from '#components/ui/feedback/empty-state'
import { LiveRefresh } from '#components/ui/feedback/live-refresh'
import { PageBody, PageHeader } from '#components/ui/layout/page-header'
import { Panel } from '#components/ui/layout/panel'
import { ListDatasets } from '#lib/contracts/datasets/datasets'
import { ERRORS } from '#lib/errors'
import { requireUser } from '#lib/http/session'
import { listDatasets } from '#lib/services/datasets/datasets'
import { parseQuery } from '../../page-input.ts'
import { findOthersWork } from '../section-lock.tsx'
import { deleteDataset, deleteDatasets, importSample } from './actions.ts'

export const metadata: Metadata = { title: 'Datasets' }

export default async function DatasetsPage({ searchParams }: PageProps<'/datasets'>) {
  const user = await requireUser()
  const { sheets, ...asked } = await searchParams
  const query = parseQuery(ListDatasets.query, asked)
  const { datasets, total_count, ...list } = ListDatasets.response.parse(
    await listDatasets(user.workspace_id, query),
  )
  const shown = datasets.map(({ dataset_id }) => dataset_id)
  const others = await findOthersWork(user, 'dataset_id', shown)
  const isFiltered = query.search !== undefined
  const add = (
    <ChangingLink variant="primary" href="/datasets/import">
      Import a spreadsheet
    </ChangingLink>
  )
  return (
    <>
      <PageHeader
        title="Datasets"
        description="Your lead lists. Every row is either imported or refused with a reason."
        actions={(total_count > 0 || isFiltered) && add}
      />
      <PageBody>
        {typeof sheets === 'string' && <NotConnected code={sheets} />}
        {(total_count > 0 || isFiltered) && (
          <SearchInput path="/datasets" query={query} label="Search datasets" className="w-full sm:w-64" />
        )}
        {datasets.length > 0 ? (
          <DatasetTable
            datasets={datasets}
            total={total_count}
            {...list}
            query={query}
            now={new Date().toISOString()}
            remove={deleteDataset}
            removeAll={deleteDatasets}
            others={others}
          />
        ) : (
          <Panel>
            {isFiltered ? (
              <EmptyState
                title="No datasets match"
                action={<LinkButton href="/datasets">Show all datasets</LinkButton>}
              />
            ) : (
              <EmptyState
                icon={<Database />}
                title="No leads yet"
                description="Import any spreadsheet as is. Opener finds extra title rows, bad addresses and duplicates for you."
                action={
                  <>
                    {add}
                    <ActionButton act={importSample}>Use sample leads</ActionButton>
                  </>
                }
              />
            )}
          </Panel>
        )}
        <LiveRefresh every_seconds={2} active={datasets.some(isUnderway)} watch="datasets" />
      </PageBody>
    </>
  )
}

/** The user returned from Google without granting access. */
function NotConnected({ code }: { code: string }) {
  const known = Object.entries(ERRORS).find(([name]) => name === code)
  return (
    <Callout tone="danger" role="alert" title="The Google account was not connected">
      {known ? known[1].message : 'Try again from the dataset’s sync dialog.'}
    </Callout>
  )
}
