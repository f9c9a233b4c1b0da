import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { mayLaunch } from '#components/campaigns/campaign-status'
import { LaunchForm } from '#components/campaigns/launch-form'
import { ReviewList } from '#components/campaigns/review-list'
import { ReadLaunchChecks } from '#lib/contracts/launch-checks'
import { getDataset } from '#lib/services/datasets'
import { launchChecks } from '#lib/services/launch-advice'
import { launch } from '../actions.ts'
import { campaignOf } from '../campaign.ts'
import { CampaignFrame } from '../frame.tsx'

export const metadata: Metadata = { title: 'Review and launch' }

const LEVELS = ['blocks', 'warns', 'informs'] as const

export default async function ReviewPage({ params }: PageProps<'/campaigns/[campaign_id]/review'>) {
  const { user, campaign } = await campaignOf(params)
  const { campaign_id, dataset_id } = campaign
  if (!mayLaunch(campaign)) redirect(`/campaigns/${campaign_id}`)
  const now = new Date()
  const [found, dataset] = await Promise.all([
    launchChecks(user.user_id, campaign_id, now),
    getDataset(user.user_id, dataset_id),
  ])
  const checks = ReadLaunchChecks.response.parse(found)
  return (
    <CampaignFrame campaign={campaign} tab="review" now={now}>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[minmax(0,1fr)_24rem]">
        <ReviewList
          checks={LEVELS.flatMap((level) =>
            checks[level].map(({ message, fix }) => ({
              level,
              title: message,
              ...(fix && level !== 'informs' ? { mend: { href: fix, label: 'Mend it' } } : {}),
            })),
          )}
        />
        <LaunchForm
          launch={launch.bind(null, campaign_id)}
          leads={dataset.row_count}
          timezone={campaign.timezone}
          isBlocked={checks.blocks.length > 0}
        />
      </div>
    </CampaignFrame>
  )
}
