import { mayLaunch } from '#components/campaigns/campaign-status'
import { LaunchPlan } from '#components/campaigns/launch-plan'
import { ReviewList } from '#components/leads/review-list'
import { LinkButton } from '#components/ui/controls/link-button'
import { Panel } from '#components/ui/layout/panel'
import type { Campaign } from '#lib/contracts/campaigns/campaign'
import { ReadLaunchChecks } from '#lib/contracts/campaigns/launch-checks'
import { launchChecks } from '#lib/services/launch/advice'
import { reviewChecks } from './review-checks.ts'

export const beforeLaunchTitle = ({ status }: Pick<Campaign, 'status'>) =>
  mayLaunch({ status }) ? 'If launched now' : 'Once it starts'

/** What a launch would send and when, and the launch checks. */
export async function BeforeLaunch({ campaign, workspaceId }: { campaign: Campaign; workspaceId: string }) {
  const { campaign_id, timezone } = campaign
  const launch = ReadLaunchChecks.response.parse(await launchChecks(workspaceId, campaign_id, new Date()))
  const checks = reviewChecks(launch, ['blocks', 'warns'])
  const { total_actions: total } = launch.plan
  return (
    <>
      <Panel
        title={beforeLaunchTitle(campaign)}
        className="lg:col-start-1"
        action={
          <LinkButton size="sm" href={`/campaigns/${campaign_id}/schedule`}>
            Day by day
          </LinkButton>
        }
      >
        {total === 0 ? (
          <p className="text-sm text-muted">Nothing would be sent.</p>
        ) : (
          <LaunchPlan plan={launch.plan} timezone={timezone} />
        )}
      </Panel>
      {checks.length > 0 && (
        <div className="lg:col-start-2 lg:row-span-2 lg:row-start-1">
          <ReviewList checks={checks} />
        </div>
      )}
    </>
  )
}
