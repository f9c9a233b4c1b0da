import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { mayLaunch } from '#components/campaigns/campaign-status'
import { LaunchForm } from '#components/campaigns/launch-form'
import { startWords } from '#components/campaigns/start-words'
import { ReviewList } from '#components/leads/review-list'
import { SampleMessages } from '#components/leads/sample-messages'
import { LinkButton } from '#components/ui/controls/link-button'
import { Callout } from '#components/ui/feedback/callout'
import type { Campaign } from '#lib/contracts/campaigns/campaign'
import { ReadLaunchChecks } from '#lib/contracts/campaigns/launch-checks'
import type { Output } from '#lib/contracts/contract'
import { launchChecks } from '#lib/services/launch/advice'
import { previewSource } from '#lib/services/messages/text-previews'
import { launch } from '../actions.ts'
import { loadCampaign } from '../campaign.ts'
import { CampaignFrame } from '../frame.tsx'
import { reviewChecks } from '../review-checks.ts'
import { sendTestStep } from '../sequence/actions.ts'
import { renderSaved } from './actions.ts'

export const metadata: Metadata = { title: 'Review and launch' }

type Checks = Output<typeof ReadLaunchChecks>

export default async function ReviewPage({ params }: PageProps<'/campaigns/[campaign_id]/review'>) {
  const { user, campaign } = await loadCampaign(params)
  const { campaign_id, dataset_id, steps_config } = campaign
  if (!mayLaunch(campaign)) redirect(`/campaigns/${campaign_id}`)
  const now = new Date()
  const [beforeLaunch, source] = await Promise.all([
    launchChecks(user.workspace_id, campaign_id, now),
    previewSource(user.workspace_id, dataset_id),
  ])
  const checks = ReadLaunchChecks.response.parse(beforeLaunch)
  const waitsForTexts = checks.warns.some(({ code }) => code === 'ai_unreviewed')
  return (
    <CampaignFrame campaign={campaign} tab="review" now={now}>
      {campaign.uncertain_count > 0 && <Uncertain campaign={campaign} />}
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[minmax(0,1fr)_24rem]">
        <ReviewList checks={reviewChecks(checks, ['blocks', 'warns', 'informs'])} isNext />
        <div className="lg:sticky lg:top-4 lg:row-span-2">
          <LaunchForm
            launch={launch.bind(null, campaign_id)}
            leads={checks.leads}
            timezone={campaign.timezone}
            blocks={checks.blocks.length}
            plan={checks.plan}
            starts={startWords(checks.plan.first_at, now.getTime(), campaign.timezone)}
            finish={finishMessage(checks)}
            policy={waitsForTexts ? campaign.unreviewed_launch_policy : null}
          />
        </div>
        {steps_config.length > 0 && (
          <SampleMessages
            campaign_id={campaign_id}
            version={campaign.updated_at}
            leads={source.leads}
            samples={steps_config.map(({ step, channel }) => ({
              step,
              label: `Step ${step}, ${channel === 'email' ? 'email' : 'social'}`,
              isMail: channel === 'email',
            }))}
            render={renderSaved.bind(null, campaign_id)}
            sendTest={sendTestStep.bind(null, campaign_id)}
          />
        )}
      </div>
    </CampaignFrame>
  )
}

/** The check that says when the campaign ends and what limits it. */
const finishMessage = (checks: Checks) =>
  checks.informs.find(({ code }) => code === 'finish')?.message ?? null

function Uncertain({ campaign: { campaign_id, uncertain_count: count } }: { campaign: Campaign }) {
  return (
    <Callout
      tone="warning"
      title={`${count} ${count === 1 ? 'send' : 'sends'} of an earlier launch ${count === 1 ? 'is' : 'are'} uncertain`}
      action={
        <LinkButton size="sm" href={`/campaigns/${campaign_id}/uncertain`}>
          View details
        </LinkButton>
      }
    >
      They may have arrived, so a new launch does not send them again.
    </Callout>
  )
}
