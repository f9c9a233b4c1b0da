import type { Metadata } from 'next'
import { CampaignResults } from '#components/campaigns/results'
import { EmptyState } from '#components/ui/empty-state'
import { Panel } from '#components/ui/panel'
import { ReadCampaignAnalytics } from '#lib/contracts/campaign-analytics'
import { readCampaignAnalytics } from '#lib/services/campaign-analytics'
import { campaignOf } from '../campaign.ts'
import { CampaignFrame } from '../frame.tsx'

export const metadata: Metadata = { title: 'Results' }

export default async function ResultsPage({ params }: PageProps<'/campaigns/[campaign_id]/results'>) {
  const { user, campaign } = await campaignOf(params)
  const analytics = ReadCampaignAnalytics.response.parse(
    await readCampaignAnalytics(user.user_id, campaign.campaign_id),
  )
  return (
    <CampaignFrame campaign={campaign} tab="results" now={new Date()}>
      {analytics.leads.contacted > 0 ? (
        <CampaignResults analytics={analytics} />
      ) : (
        <Panel>
          <EmptyState
            title="Nothing was sent yet"
            description="Rates appear with the first message, each with its counts and how sure it is."
          />
        </Panel>
      )}
    </CampaignFrame>
  )
}
