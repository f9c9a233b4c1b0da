import type { ReactNode } from 'react'
import { CampaignBanner } from '#components/campaigns/campaign-banner'
import { CampaignHeader, type CampaignTab } from '#components/campaigns/campaign-header'
import { isMoving } from '#components/campaigns/campaign-status'
import { isClosed, SendNow } from '#components/campaigns/send-now'
import { LiveRefresh } from '#components/ui/feedback/live-refresh'
import { PageBody } from '#components/ui/layout/page-header'
import type { OwnedCampaign } from '#lib/contracts/campaigns/campaign'
import { requireUser } from '#lib/http/session'
import { deleteCampaign, duplicateCampaign, pauseCampaign, resumeCampaign, sendNowOnce } from '../actions.ts'
import { loadReason } from '../whys.ts'

const ACTS = {
  pause: pauseCampaign,
  resume: resumeCampaign,
  duplicate: duplicateCampaign,
  remove: deleteCampaign,
}

type Props = { campaign: OwnedCampaign; tab: CampaignTab; now: Date; children: ReactNode }

/** A campaign's header above its tabs. Refreshes itself while the campaign is active. */
export async function CampaignFrame({ campaign, tab, now, children }: Props) {
  const [user, why] = await Promise.all([
    requireUser(),
    loadReason(campaign.workspace_id, campaign.campaign_id, now.getTime()),
  ])
  const owner = campaign.user_id === user.user_id ? null : campaign.owner_name
  // Actions in progress at a pause end after it. Other tabs contain forms, which must not be refreshed.
  const isSettling = campaign.status === 'paused' && tab === 'overview'
  return (
    <>
      <CampaignHeader
        {...{ campaign, tab, owner, why }}
        now={now.toISOString()}
        acts={ACTS}
        also={
          isClosed(campaign, why) && (
            <SendNow campaign={campaign} act={sendNowOnce.bind(null, campaign.campaign_id)} />
          )
        }
      />
      <PageBody>
        {tab !== 'review' && <CampaignBanner campaign={campaign} why={why} />}
        {children}
      </PageBody>
      <LiveRefresh every_seconds={2} active={isMoving(campaign) || isSettling} watch="campaigns" />
    </>
  )
}
