import type { Metadata } from 'next'
import { CampaignResults } from '#components/analytics/results'
import { localDate, ResultsRange } from '#components/analytics/results-range'
import { LinkButton } from '#components/ui/controls/link-button'
import { EmptyState } from '#components/ui/feedback/empty-state'
import { Panel } from '#components/ui/layout/panel'
import { ExportMenu } from '#components/ui/overlays/export-menu'
import { ReadCampaignAnalytics } from '#lib/contracts/campaigns/campaign-analytics'
import { readCampaignAnalytics } from '#lib/services/campaigns/campaign-analytics'
import { parseQuery } from '../../../../page-input.ts'
import { Providers, ProvidersQuery } from '../../../analytics/providers.tsx'
import { loadCampaign } from '../campaign.ts'
import { CampaignFrame } from '../frame.tsx'
import { CampaignLinks } from './campaign-links.tsx'

export const metadata: Metadata = { title: 'Results' }

export default async function ResultsPage({
  params,
  searchParams,
}: PageProps<'/campaigns/[campaign_id]/results'>) {
  const { user, campaign } = await loadCampaign(params)
  const { campaign_id } = campaign
  const given = await searchParams
  const query = parseQuery(ReadCampaignAnalytics.query, given)
  const { providers } = parseQuery(ProvidersQuery, given)
  const analytics = ReadCampaignAnalytics.response.parse(
    await readCampaignAnalytics(user.workspace_id, campaign_id, query),
  )
  const { from, to, timezone } = analytics
  const path = `/campaigns/${campaign_id}/results`
  const now = new Date()
  const since = campaign.launched_at ? localDate(campaign.launched_at, timezone) : undefined
  const isAll = from === null && to === null
  const isEmpty = analytics.leads.contacted === 0
  return (
    <CampaignFrame campaign={campaign} tab="results" now={now}>
      {!(isAll && isEmpty) && (
        <div className="flex flex-wrap items-center justify-between gap-3">
          <ResultsRange
            path={path}
            timezone={timezone}
            now={now.toISOString()}
            from={from}
            to={to}
            whole="all days"
            filters={{ providers }}
          />
          <span className="flex flex-wrap gap-2">
            <LinkButton href={`/analytics/compare?campaign_id=${campaign_id}`}>Compare</LinkButton>
            <ExportMenu path={`/campaigns/${campaign_id}/export`} label="Export leads" />
          </span>
        </div>
      )}
      {!isEmpty ? (
        <>
          <CampaignResults analytics={analytics} />
          <Providers
            workspace_id={user.workspace_id}
            timezone={timezone}
            query={{ campaign_id, from: from ?? since, to: to ?? undefined }}
            now={now}
            sorting={{ path, query: { ...query, providers } }}
          />
        </>
      ) : isAll ? (
        <NothingSent campaign_id={campaign_id} />
      ) : (
        <Panel>
          <EmptyState
            title="Nothing sent in this period"
            description={`Days follow the sending window in ${timezone}.`}
            action={<LinkButton href={path}>Show all days</LinkButton>}
          />
        </Panel>
      )}
      <CampaignLinks user={user} campaign={campaign} now={now} />
    </CampaignFrame>
  )
}

const NothingSent = ({ campaign_id }: { campaign_id: string }) => (
  <Panel>
    <EmptyState
      title="Nothing was sent yet"
      description="Rates appear after the first send."
      action={<LinkButton href={`/campaigns/${campaign_id}/schedule`}>See the schedule</LinkButton>}
    />
  </Panel>
)
