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
import { Providers, ProvidersQuery } from './providers.tsx'

export const metadata: Metadata = { title: 'Analytics' }

const PATH = '/analytics'

export default async function AnalyticsPage({ searchParams }: PageProps<'/analytics'>) {
  const { workspace_id } = await requireUser(ReadWorkspaceAnalytics)
  const { sort: asked, providers: order, ...given } = await searchParams
  const query = parseQuery(ReadWorkspaceAnalytics.query, given)
  const sort = groupOrder(asked)
  const { providers } = parseQuery(ProvidersQuery, { providers: order })
  const sorting = { path: PATH, query: { ...query, sort, providers } }
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
          filters={{ ...filters, sort, providers }}
        >
          <ResultsFilters choices={choices} chosen={filters} />
        </ResultsRange>
        {analytics.totals.sent > 0 ? (
          <>
            <WorkspaceResults analytics={analytics} {...sorting} />
            <Providers {...{ workspace_id, query, now, sorting }} timezone={zone} />
          </>
        ) : (
          <NothingSent
            workspace_id={workspace_id}
            whole={isNarrowed ? queryHref(PATH, {}, { from, to }) : null}
          />
        )}
      </PageBody>
    </>
  )
}

/** `whole` links to the unfiltered results of these dates, if filters hide them. */
function NothingSent({ workspace_id, whole }: { workspace_id: string; whole: string | null }) {
  return (
    <Panel>
      <EmptyState
        icon={<ChartNoAxesColumn />}
        title={whole ? 'No matching sends in this period' : 'Nothing sent in this period'}
        description="Compare what your campaigns send by day, hour, campaign, mailbox, dataset and member."
        action={
          whole ? (
            <LinkButton href={whole}>Clear the filters</LinkButton>
          ) : (
            <>
              <LinkButton href="/campaigns">See your campaigns</LinkButton>
              <SampleResults workspaceId={workspace_id} />
            </>
          )
        }
      />
    </Panel>
  )
}
