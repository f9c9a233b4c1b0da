import type { Metadata } from 'next'
import { CampaignOverview } from '#components/campaigns/campaign-overview'
import { countCampaignLeads } from '#lib/services/leads/campaign-leads'
import { loadCampaign } from './campaign.ts'
import { CampaignParts } from './campaign-parts.tsx'
import { DraftOverview } from './draft-overview.tsx'
import { CampaignFrame } from './frame.tsx'

export const metadata: Metadata = { title: 'Campaign' }

export default async function CampaignPage({ params }: PageProps<'/campaigns/[campaign_id]'>) {
  const { user, campaign } = await loadCampaign(params)
  const now = new Date()
  const counts = await countCampaignLeads(user.workspace_id, campaign.campaign_id)
  return (
    <CampaignFrame campaign={campaign} tab="overview" now={now}>
      {campaign.launched_at === null && campaign.status !== 'launching' ? (
        <DraftOverview campaign={campaign} workspaceId={user.workspace_id} />
      ) : (
        <CampaignOverview campaign={campaign} counts={counts} now={now.toISOString()}>
          <CampaignParts campaign={campaign} workspaceId={user.workspace_id} />
        </CampaignOverview>
      )}
    </CampaignFrame>
  )
}
