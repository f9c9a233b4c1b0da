import type { Metadata } from 'next'
import { loadCampaign } from './campaign.ts'
import { DraftOverview } from './draft-overview.tsx'
import { CampaignFrame } from './frame.tsx'
import { LaunchedOverview } from './launched-overview.tsx'

export const metadata: Metadata = { title: 'Campaign' }

export default async function CampaignPage({ params }: PageProps<'/campaigns/[campaign_id]'>) {
  const { user, campaign } = await loadCampaign(params)
  const now = new Date()
  return (
    <CampaignFrame campaign={campaign} tab="overview" now={now}>
      {campaign.launched_at === null && campaign.status !== 'launching' ? (
        <DraftOverview campaign={campaign} workspaceId={user.workspace_id} />
      ) : (
        <LaunchedOverview campaign={campaign} now={now} />
      )}
    </CampaignFrame>
  )
}
