import { Share2 } from 'lucide-react'
import type { Metadata } from 'next'
import { CreateReportLink } from '#components/campaigns/reports/create-report-link'
import { ReportLinkTable } from '#components/campaigns/reports/report-link-table'
import { EmptyState } from '#components/ui/feedback/empty-state'
import { Pagination } from '#components/ui/layout/pagination'
import { Panel } from '#components/ui/layout/panel'
import { ListReportLinks } from '#lib/contracts/campaigns/report-links'
import { requireUser } from '#lib/http/session'
import { listReportLinks, shareableCampaigns } from '#lib/services/campaigns/reports/report-links'
import { workspaceTimezone } from '#lib/services/workspaces/users'
import { parseQuery } from '../../../page-input.ts'
import { createLink, revokeLink } from './actions.ts'

export const metadata: Metadata = { title: 'Reports' }

const PATH = '/settings/reports'

/** All report links, by which people without an account can read results. */
export default async function ReportsPage({ searchParams }: PageProps<'/settings/reports'>) {
  const user = await requireUser(ListReportLinks)
  const query = parseQuery(ListReportLinks.query, await searchParams)
  const [list, zone, campaigns] = await Promise.all([
    listReportLinks(user, query),
    workspaceTimezone(user.workspace_id),
    shareableCampaigns(user),
  ])
  const { items, ...paging } = ListReportLinks.response.parse(list)
  return (
    <Panel
      title="Report links"
      description="Anyone with a link sees the results of its campaigns, without an account."
      action={<CreateReportLink create={createLink} campaigns={campaigns} />}
      flush={items.length > 0}
    >
      {items.length > 0 ? (
        <>
          <ReportLinkTable
            links={items}
            sorting={{ path: PATH, query }}
            zone={zone}
            now={new Date().toISOString()}
            revoke={revokeLink}
          />
          {paging.total > paging.page_size && (
            <Pagination path={PATH} query={query} {...paging} noun="links" />
          )}
        </>
      ) : (
        <EmptyState
          icon={<Share2 />}
          title="No report link yet"
          description={
            campaigns.length > 0
              ? 'Create one to share campaign results.'
              : 'Launch a campaign first, then share its results.'
          }
        />
      )}
    </Panel>
  )
}
