import { ChartNoAxesColumn } from 'lucide-react'
import type { Metadata } from 'next'
import { ResultTable } from '#components/campaigns/result-table'
import { EmptyState } from '#components/ui/feedback/empty-state'
import { PageBody, PageHeader } from '#components/ui/layout/page-header'
import { Pagination } from '#components/ui/layout/pagination'
import { Panel } from '#components/ui/layout/panel'
import { ListResults } from '#lib/contracts/campaigns/results'
import { isClient } from '#lib/contracts/workspaces/roles'
import { requireUser } from '#lib/http/session'
import { listResults } from '#lib/services/campaigns/results'
import { workspaceTimezone } from '#lib/services/workspaces/users'
import { parseQuery } from '../../page-input.ts'

export const metadata: Metadata = { title: 'Results' }

/** A client's start page: the campaigns they may see. */
export default async function ResultsPage({ searchParams }: PageProps<'/results'>) {
  const user = await requireUser(ListResults)
  const query = parseQuery(ListResults.query, await searchParams)
  const [list, zone] = await Promise.all([listResults(user, query), workspaceTimezone(user.workspace_id)])
  const { items, ...paging } = ListResults.response.parse(list)
  return (
    <>
      <PageHeader title="Results" />
      <PageBody>
        <Panel flush={items.length > 0}>
          {items.length > 0 ? (
            <>
              <ResultTable results={items} zone={zone} />
              {paging.total > paging.page_size && (
                <Pagination path="/results" query={{}} {...paging} noun="campaigns" />
              )}
            </>
          ) : (
            <EmptyState
              icon={<ChartNoAxesColumn />}
              title="No results yet"
              description={
                isClient(user.role)
                  ? `Campaigns that ${user.workspace_name} shares with you appear here once they are launched.`
                  : 'Campaigns appear here once they are launched.'
              }
            />
          )}
        </Panel>
      </PageBody>
    </>
  )
}
