import { ShieldOff } from 'lucide-react'
import type { Metadata } from 'next'
import { AddSuppressions } from '#components/leads/add-suppressions'
import { SuppressionTable } from '#components/leads/suppression-table'
import { LinkButton } from '#components/ui/controls/link-button'
import { LockProvider } from '#components/ui/controls/lock'
import { SearchInput } from '#components/ui/controls/search-input'
import { EmptyState } from '#components/ui/feedback/empty-state'
import { PageBody, PageHeader } from '#components/ui/layout/page-header'
import { Panel } from '#components/ui/layout/panel'
import { ExportMenu } from '#components/ui/overlays/export-menu'
import { DeleteSuppression, ListSuppressions } from '#lib/contracts/leads/suppressions'
import { requireUser } from '#lib/http/session'
import { listSuppressions } from '#lib/services/leads/suppressions'
import { parseQuery } from '../../page-input.ts'
import { SampleButton } from '../samples/sample-button.tsx'
import { findLock } from '../section-lock.tsx'
import {
  addSuppressions,
  allowAgain,
  deleteSuppression,
  importSuppressions,
  suppressAgain,
} from './actions.ts'

export const metadata: Metadata = { title: 'Suppressions' }

export default async function SuppressionsPage({ searchParams }: PageProps<'/suppressions'>) {
  const user = await requireUser()
  const query = parseQuery(ListSuppressions.query, await searchParams)
  const { items, ...list } = ListSuppressions.response.parse(await listSuppressions(user.workspace_id, query))
  const isFiltered = query.search !== undefined
  return (
    <>
      <PageHeader
        title="Suppressions"
        description="Addresses, domains, profiles and telephone numbers you no longer contact. Unsubscribes and hard bounces are added automatically."
        actions={
          <>
            {list.total > 0 && <ExportMenu path="/suppressions/export" />}
            <AddSuppressions add={addSuppressions} importFile={importSuppressions} />
          </>
        }
      />
      <PageBody>
        {(list.total > 0 || isFiltered) && (
          <SearchInput
            path="/suppressions"
            query={query}
            label="Search suppressions"
            className="w-full sm:w-64"
          />
        )}
        {items.length > 0 ? (
          <LockProvider lock={await findLock(DeleteSuppression)}>
            <SuppressionTable
              suppressions={items}
              {...list}
              query={query}
              now={new Date().toISOString()}
              remove={deleteSuppression}
              allow={allowAgain}
              suppress={suppressAgain}
            />
          </LockProvider>
        ) : (
          <Panel>
            {isFiltered ? (
              <EmptyState
                title="No suppressions match"
                action={<LinkButton href="/suppressions">Show all suppressions</LinkButton>}
              />
            ) : (
              <EmptyState
                icon={<ShieldOff />}
                title="No suppressions yet"
                description="Add customers, competitors, or anyone who asked not to be contacted."
                action={<SampleButton kind="suppression" />}
              />
            )}
          </Panel>
        )}
      </PageBody>
    </>
  )
}
