import { ChartNoAxesColumn } from 'lucide-react'
import type { Metadata } from 'next'
import { groupOrder } from '#components/analytics/group-table'
import { ResultsFilters } from '#components/analytics/results-filters'
import { ResultsRange } from '#components/analytics/results-range'
import { WorkspaceResults } from '#components/analytics/workspace-results'
import { LinkButton } from '#components/ui/controls/link-button'
import { EmptyState } from '#components/ui/feedback/empty-state'
import { PageBody, PageHeader } from '#components/ui/layout/page-header'
import { Panel } from '#components/ui/layout/panel'
import { ExportMenu } from '#components/ui/overlays/export-menu'
import { queryHref } from '#components/ui/query-href'
import { ReadWorkspaceAnalytics } from '#lib/contracts/campaigns/workspace-analytics'
import { requireUser } from '#lib/http/session'
import { analyticsChoices, readWorkspaceAnalytics } from '#lib/services/campaigns/workspace-analytics'
import { workspaceTimezone } from '#lib/services/workspaces/users'
import { parseQuery } from '../../page-input.ts'
import { SampleResults } from '../samples/sample-results.tsx'
import { Providers } from './providers.tsx'

export const metadata: Metadata = { title: 'Analytics' }

const PATH = '/analytics'

export default async function AnalyticsPage({ searchParams }: PageProps<'/analytics'>) {
  const { workspace_id } = await requireUser(ReadWorkspaceAnalytics)
  const { sort: asked, ...given } = await searchParams
  const query = parseQuery(ReadWorkspaceAnalytics.query, given)
  const sort = groupOrder(asked)
  const now = new Date()
  const zone = await workspaceTimezone(workspace_id)
  const [results, choices] = await Promise.all([
    readWorkspaceAnalytics(workspace_id, query, now),
    analyticsChoices(workspace_id),
  ])
  const analytics = ReadWorkspaceAnalytics.response.parse(results)
  const { from, to, ...filters } = query
  const isNarrowed = Object.values(filters).some(Boolean)
  return (
    <>
      <PageHeader
        title="Analytics"
        actions={
          <>
            <LinkButton href={`${PATH}/compare`}>Compare campaigns</LinkButton>
            {analytics.totals.sent > 0 && <ExportMenu path={queryHref(`${PATH}/export`, {}, { ...query })} />}
          </>
        }
      />
      <PageBody>
        <ResultsRange
          path={PATH}
          timezone={zone}
          now={now.toISOString()}
          from={from ?? null}
          to={to ?? null}
          whole="30 days"
          filters={{ ...filters, sort }}
        >
          <ResultsFilters choices={choices} chosen={filters} />
        </ResultsRange>
        {analytics.totals.sent > 0 ? (
          <>
            <WorkspaceResults analytics={analytics} path={PATH} query={{ ...query, sort }} />
            <Providers workspace_id={workspace_id} timezone={zone} query={query} now={now} />
          </>
        ) : (
          <Panel>
            <EmptyState
              icon={<ChartNoAxesColumn />}
              title={isNarrowed ? 'No matching sends in this period' : 'Nothing sent in this period'}
              description="What campaigns send is compared here by day, hour, campaign, mailbox, dataset and member."
              action={
                isNarrowed ? (
                  <LinkButton href={queryHref(PATH, {}, { from, to })}>Clear the filters</LinkButton>
                ) : (
                  <>
                    <LinkButton href="/campaigns">See your campaigns</LinkButton>
                    <SampleResults workspaceId={workspace_id} />
                  </>
                )
              }
            />
          </Panel>
        )}
      </PageBody>
    </>
  )
}
