import type { Metadata } from 'next'
import { CampaignResults } from '#components/analytics/results'
import { ResultsRange } from '#components/analytics/results-range'
import { CampaignStatus } from '#components/campaigns/campaign-status'
import { EmptyState } from '#components/ui/feedback/empty-state'
import { Breadcrumbs } from '#components/ui/layout/breadcrumbs'
import { PageBody, PageHeader } from '#components/ui/layout/page-header'
import { Panel } from '#components/ui/layout/panel'
import { ReadCampaignAnalytics } from '#lib/contracts/campaigns/campaign-analytics'
import { requireUser } from '#lib/http/session'
import { readCampaignAnalytics } from '#lib/services/campaigns/campaign-analytics'
import { getCampaign } from '#lib/services/campaigns/campaigns'
import { requireChosen } from '#lib/services/campaigns/client-access'
import { orNotFound, parseParams, parseQuery } from '../../../page-input.ts'

export const metadata: Metadata = { title: 'Results' }

/** The results of one campaign, without its content or settings. */
export default async function CampaignResultsPage({
  params,
  searchParams,
}: PageProps<'/results/[campaign_id]'>) {
  const user = await requireUser(ReadCampaignAnalytics)
  const { campaign_id } = parseParams(ReadCampaignAnalytics.params, await params)
  await orNotFound(requireChosen(user, { campaign_id }))
  const query = parseQuery(ReadCampaignAnalytics.query, await searchParams)
  const { name, status } = await orNotFound(getCampaign(user.workspace_id, campaign_id))
  const analytics = ReadCampaignAnalytics.response.parse(
    await readCampaignAnalytics(user.workspace_id, campaign_id, query),
  )
  const { from, to, timezone } = analytics
  return (
    <>
      <PageHeader
        title={name}
        above={<Breadcrumbs items={[{ href: '/results', label: 'Results' }]} />}
        status={<CampaignStatus status={status} />}
      />
      <PageBody>
        <ResultsRange
          whole="all days"
          path={`/results/${campaign_id}`}
          timezone={timezone}
          now={new Date().toISOString()}
          from={from}
          to={to}
        />
        {analytics.leads.contacted > 0 ? (
          <CampaignResults analytics={analytics} />
        ) : (
          <Panel>
            <EmptyState
              title="Nothing sent in this period"
              description={`Days follow the sending window in ${timezone}.`}
            />
          </Panel>
        )}
      </PageBody>
    </>
  )
}
