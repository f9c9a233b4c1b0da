import { Suspense } from 'react'
import { ActionButton } from '#components/ui/controls/action-button'
import { Link } from '#components/ui/controls/link'
import { Callout } from '#components/ui/feedback/callout'
import { Skeleton } from '#components/ui/feedback/skeleton'
import { Panel } from '#components/ui/layout/panel'
import type { Campaign } from '#lib/contracts/campaigns/campaign'
import { dismissPlayground } from './actions.ts'
import { BeforeLaunch, beforeLaunchTitle } from './before-launch.tsx'
import { CampaignParts } from './campaign-parts.tsx'

/** A draft's parts and what a launch would do; there is nothing to count yet. */
export function DraftOverview({ campaign, workspaceId }: { campaign: Campaign; workspaceId: string }) {
  return (
    <>
      {campaign.steps_config.length > 0 && !campaign.playground_discovery_dismissed_at && (
        <Callout
          title="A text for each lead"
          action={
            <ActionButton size="sm" variant="ghost" act={dismissPlayground.bind(null, campaign.campaign_id)}>
              Dismiss
            </ActionButton>
          }
        >
          <Link href={`/personalize/playground?campaign_id=${campaign.campaign_id}`}>
            Try a prompt on a few leads
          </Link>{' '}
          in the playground.
        </Callout>
      )}
      {/* Parts and plan on the left; the checks, which may be many, beside both. */}
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-2 lg:grid-rows-[auto_1fr]">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <CampaignParts campaign={campaign} />
          {campaign.description && (
            <Panel title="Notes">
              <p className="text-sm whitespace-pre-wrap">{campaign.description}</p>
            </Panel>
          )}
        </div>
        <Suspense
          fallback={
            <Panel title={beforeLaunchTitle(campaign)} className="lg:col-start-1">
              <Skeleton className="h-32" />
            </Panel>
          }
        >
          <BeforeLaunch campaign={campaign} workspaceId={workspaceId} />
        </Suspense>
      </div>
    </>
  )
}
