import { Scale } from 'lucide-react'
import type { Metadata } from 'next'
import { Comparison } from '#components/analytics/comparison'
import { ComparisonForm } from '#components/analytics/comparison-form'
import { LinkButton } from '#components/ui/controls/link-button'
import { EmptyState } from '#components/ui/feedback/empty-state'
import { Breadcrumbs } from '#components/ui/layout/breadcrumbs'
import { PageBody, PageHeader } from '#components/ui/layout/page-header'
import { Panel } from '#components/ui/layout/panel'
import { CampaignComparison, CompareCampaigns } from '#lib/contracts/campaigns/campaign-comparison'
import { AnalyticsFilters } from '#lib/contracts/campaigns/workspace-analytics'
import { requireUser } from '#lib/http/session'
import { compareCampaigns } from '#lib/services/campaigns/campaign-comparison'
import { analyticsChoices } from '#lib/services/campaigns/workspace-analytics'
import { orNotFound, parseQuery } from '../../../page-input.ts'

export const metadata: Metadata = { title: 'Compare campaigns' }

const Query = AnalyticsFilters.pick({ campaign_id: true }).extend({
  compare_to: AnalyticsFilters.shape.campaign_id,
})

export default async function ComparePage({ searchParams }: PageProps<'/analytics/compare'>) {
  const { workspace_id } = await requireUser(CompareCampaigns)
  const query = parseQuery(Query, await searchParams)
  const { campaign_id: choices } = await analyticsChoices(workspace_id)
  // Defaults to the two newest campaigns, so that there is something to see.
  const campaign = query.campaign_id ?? choices.find(({ value }) => value !== query.compare_to)?.value
  const other = query.compare_to ?? choices.find(({ value }) => value !== campaign)?.value
  const comparison =
    campaign && other && campaign !== other
      ? CampaignComparison.parse(await orNotFound(compareCampaigns(workspace_id, campaign, other)))
      : null
  return (
    <>
      <PageHeader
        above={<Breadcrumbs items={[{ label: 'Analytics', href: '/analytics' }]} />}
        title="Compare campaigns"
      />
      <PageBody>
        {choices.length > 1 && (
          <ComparisonForm choices={choices} campaign={campaign ?? ''} compareTo={other ?? ''} />
        )}
        {comparison ? (
          <Comparison comparison={comparison} />
        ) : (
          <Panel>
            <EmptyState
              icon={<Scale />}
              title={choices.length > 1 ? 'Choose two different campaigns' : 'Nothing to compare yet'}
              description={`${choices.length > 1 ? 'You' : 'Launch two campaigns: you'} see their rates side by side, and whether they differ by more than chance.`}
              action={
                choices.length > 1 ? undefined : <LinkButton href="/campaigns">See your campaigns</LinkButton>
              }
            />
          </Panel>
        )}
      </PageBody>
    </>
  )
}
