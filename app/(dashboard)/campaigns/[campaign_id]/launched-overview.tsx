import { cache, Suspense } from 'react'
import { CampaignActivity } from '#components/campaigns/campaign-activity'
import { CampaignOverview } from '#components/campaigns/campaign-overview'
import { ForecastEnds } from '#components/forecast/forecast-ends'
import { SendingPlan } from '#components/forecast/sending-plan'
import { LinkButton } from '#components/ui/controls/link-button'
import { Skeleton } from '#components/ui/feedback/skeleton'
import { Stat } from '#components/ui/feedback/stat'
import { Panel } from '#components/ui/layout/panel'
import { ReadCampaignActivity } from '#lib/contracts/campaigns/activity'
import type { Campaign } from '#lib/contracts/campaigns/campaign'
import { type CampaignAnalytics, ReadCampaignAnalytics } from '#lib/contracts/campaigns/campaign-analytics'
import { ForecastCampaign } from '#lib/contracts/campaigns/forecasts'
import { readCampaignActivity } from '#lib/services/campaigns/activity'
import { readCampaignAnalytics } from '#lib/services/campaigns/campaign-analytics'
import { forecastCampaign } from '#lib/services/forecast/forecasts'
import { hasSandbox, isSandboxServer } from '#lib/services/senders/sandbox'
import { loadReason } from '../whys.ts'
import { CampaignParts } from './campaign-parts.tsx'
import { loadMailboxes } from './mailboxes.ts'

type Props = { campaign: Campaign; now: Date }

/** Two parts of the page share one forecast, which is streamed after the rest. */
const readForecast = cache(async (workspaceId: string, campaignId: string, at: number) =>
  ForecastCampaign.response.parse(
    await forecastCampaign(workspaceId, campaignId, { offset: 0, limit: 0 }, new Date(at)),
  ),
)

const EVENTS = ReadCampaignActivity.query.parse({ limit: 12 })

export async function LaunchedOverview({ campaign, now }: Props) {
  const { workspace_id, campaign_id, timezone } = campaign
  const [analytics, why, activity] = await Promise.all([
    readCampaignAnalytics(workspace_id, campaign_id),
    loadReason(workspace_id, campaign_id, now.getTime()),
    readCampaignActivity(workspace_id, campaign_id, EVENTS, now),
  ])
  const results = ReadCampaignAnalytics.response.parse(analytics)
  const at = now.toISOString()
  return (
    <CampaignOverview
      campaign={campaign}
      analytics={results}
      why={why}
      now={at}
      ends={
        <Suspense fallback={<Stat label="Ends" isText value="…" />}>
          <Ends campaign={campaign} now={now} />
        </Suspense>
      }
      plan={
        <Suspense
          fallback={
            <Panel>
              <Skeleton className="h-67" />
            </Panel>
          }
        >
          <Plan campaign={campaign} now={now} left={results.days} />
        </Suspense>
      }
      activity={
        <CampaignActivity
          campaignId={campaign_id}
          events={ReadCampaignActivity.response.parse(activity).items}
          zone={timezone}
          now={at}
          mail={campaign.sent_count > 0 && <SandboxLink campaign={campaign} now={now} />}
        />
      }
    >
      <CampaignParts campaign={campaign} />
    </CampaignOverview>
  )
}

/** Link to the sandbox, for campaigns whose emails stay on this instance. */
async function SandboxLink({ campaign, now }: Props) {
  if (!hasSandbox()) return null
  const mailboxes = await loadMailboxes(campaign, now)
  if (!mailboxes.some(({ smtp }) => isSandboxServer(smtp))) return null
  return (
    <LinkButton size="sm" href="/sandbox/mail">
      Read its emails
    </LinkButton>
  )
}

async function Ends({ campaign: { workspace_id, campaign_id, status }, now }: Props) {
  if (status === 'completed') return null
  const forecast = await readForecast(workspace_id, campaign_id, now.getTime())
  return <ForecastEnds forecast={forecast} isPaused={status === 'paused'} />
}

async function Plan({ campaign, now, left }: Props & { left: CampaignAnalytics['days'] }) {
  const { workspace_id, campaign_id } = campaign
  return <SendingPlan forecast={await readForecast(workspace_id, campaign_id, now.getTime())} left={left} />
}
