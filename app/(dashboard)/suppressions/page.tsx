import { ShieldOff } from 'lucide-react'
import type { Metadata } from 'next'
import { AddSuppressions } from '#components/leads/suppressions/add-suppressions'
import { SuppressionFilters } from '#components/leads/suppressions/suppression-filters'
import { SuppressionTable } from '#components/leads/suppressions/suppression-table'
import { LinkButton } from '#components/ui/controls/link-button'
import { LockProvider } from '#components/ui/controls/lock'
import { EmptyState } from '#components/ui/feedback/empty-state'
import { PageBody, PageHeader } from '#components/ui/layout/page-header'
import { Panel } from '#components/ui/layout/panel'
import { ExportMenu } from '#components/ui/overlays/export-menu'
import { queryHref } from '#components/ui/query-href'
import { DeleteSuppression, ListSuppressions, MAX_REMOVED } from '#lib/contracts/leads/suppressions'
import { requireUser } from '#lib/http/session'
import { countReasons, findParent, listSuppressions } from '#lib/services/leads/suppressions/list'
import { parseQuery } from '../../page-input.ts'
import { SampleButton } from '../samples/sample-button.tsx'
import { findLock } from '../section-lock.tsx'
import {
  addSuppressions,
  allowAgain,
  deleteSuppression,
  importSuppressions,
  selectableSuppressions,
  suppressAgain,
} from './actions.ts'

export const metadata: Metadata = { title: 'Suppressions' }

/** The list's query without the page. */
function readAddress(given: Record<string, string | string[] | undefined>) {
  const query = parseQuery(ListSuppressions.query, given)
  const { page: _, page_size: __, ...shown } = query
  const { sort: ___, ...filters } = shown
  return { query, shown, filters, isFiltered: Object.values(filters).some((value) => value !== undefined) }
}

export default async function SuppressionsPage({ searchParams }: PageProps<'/suppressions'>) {
  const { workspace_id } = await requireUser()
  const now = new Date()
  const { query, shown, filters, isFiltered } = readAddress(await searchParams)
  const [found, reasons, parent] = await Promise.all([
    listSuppressions(workspace_id, query, now),
    countReasons(workspace_id, filters, now),
    findParent(workspace_id),
  ])
  const { items, ...list } = ListSuppressions.response.parse(found)
  const hasSome = list.total > 0 || isFiltered
  return (
    <>
      <PageHeader
        title="Suppressions"
        description="Addresses, domains, profiles and phone numbers you no longer contact. Unsubscribes and hard bounces are added automatically."
        actions={
          <>
            {list.total > 0 && (
              <ExportMenu
                path={queryHref('/suppressions/export', filters, {})}
                label={isFiltered ? 'Export these' : 'Export'}
              />
            )}
            <AddSuppressions add={addSuppressions} importFile={importSuppressions} />
          </>
        }
      />
      <PageBody>
        {hasSome && (
          <SuppressionFilters query={shown} reasons={reasons.items} parent={parent?.name ?? null} />
        )}
        {items.length > 0 ? (
          <LockProvider lock={await findLock(DeleteSuppression)}>
            <SuppressionTable
              suppressions={items}
              {...list}
              query={shown}
              now={now.toISOString()}
              remove={deleteSuppression}
              acts={{
                allow: allowAgain,
                suppress: suppressAgain,
                all: selectableSuppressions.bind(null, shown),
                most: MAX_REMOVED,
              }}
            />
          </LockProvider>
        ) : (
          <Panel>{isFiltered ? <NothingMatches /> : <Nothing />}</Panel>
        )}
      </PageBody>
    </>
  )
}

const NothingMatches = () => (
  <EmptyState
    title="No suppressions match"
    action={<LinkButton href="/suppressions">Show all suppressions</LinkButton>}
  />
)

const Nothing = () => (
  <EmptyState
    icon={<ShieldOff />}
    title="No suppressions yet"
    description="Add customers, competitors, or anyone who asked not to be contacted."
    action={<SampleButton kind="suppression" />}
  />
)
