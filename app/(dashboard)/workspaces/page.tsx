import type { Metadata } from 'next'
import { LinkButton } from '#components/ui/controls/link-button'
import { SearchInput } from '#components/ui/controls/search-input'
import { EmptyState } from '#components/ui/feedback/empty-state'
import { PageBody, PageHeader } from '#components/ui/layout/page-header'
import { Pagination } from '#components/ui/layout/pagination'
import { Panel } from '#components/ui/layout/panel'
import { OverviewTable } from '#components/workspaces/overview-table'
import { ListWorkspaceOverviews } from '#lib/contracts/workspaces/overview'
import { requireUser } from '#lib/http/session'
import { listWorkspaceOverviews } from '#lib/services/campaigns/reports/workspace-overviews'
import { parseQuery } from '../../page-input.ts'

export const metadata: Metadata = { title: 'Workspaces' }

export default async function WorkspacesPage({ searchParams }: PageProps<'/workspaces'>) {
  const user = await requireUser(ListWorkspaceOverviews)
  const query = parseQuery(ListWorkspaceOverviews.query, await searchParams)
  const list = await listWorkspaceOverviews(user, query, new Date())
  const { items, ...paging } = ListWorkspaceOverviews.response.parse(list)
  const { search } = query
  return (
    <>
      <PageHeader title="Workspaces" description="Your workspaces. Those that need attention come first." />
      <PageBody>
        {(paging.total > 1 || search !== undefined) && (
          <SearchInput
            path="/workspaces"
            query={{ search }}
            label="Search workspaces"
            className="w-full sm:w-64"
          />
        )}
        <Panel flush={items.length > 0}>
          {items.length > 0 ? (
            <>
              <OverviewTable workspaces={items} current={user.workspace_id} />
              {paging.total > paging.page_size && (
                <Pagination path="/workspaces" query={{ search }} {...paging} noun="workspaces" />
              )}
            </>
          ) : (
            <EmptyState
              title="No workspaces match"
              description="Search for part of the name."
              action={<LinkButton href="/workspaces">Show all workspaces</LinkButton>}
            />
          )}
        </Panel>
      </PageBody>
    </>
  )
}
