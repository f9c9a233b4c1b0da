import type { Metadata } from 'next'
import { ForecastCurve } from '#components/forecast/forecast-curve'
import { LiveForecast } from '#components/forecast/live-forecast'
import { ScheduleForm } from '#components/schedule/schedule-form'
import { UpdateCampaign } from '#lib/contracts/campaigns/campaigns'
import { ForecastCampaign } from '#lib/contracts/campaigns/forecasts'
import { TIMEZONES } from '#lib/contracts/fields'
import { listHolidayCountries } from '#lib/services/campaigns/days/holidays'
import { forecastCampaign } from '#lib/services/forecast/forecasts'
import { givenMailboxes } from '#lib/services/instance/given-senders'
import { countClocks } from '#lib/services/leads/rows/clocks'
import { ViewOnly } from '../../../view-only.tsx'
import { previewChange, saveSchedule } from '../actions.ts'
import { isLive, loadCampaign } from '../campaign.ts'
import { CampaignFrame } from '../frame.tsx'
import { loadMailboxes } from '../mailboxes.ts'
import { forecastSchedule } from './actions.tsx'

export const metadata: Metadata = { title: 'Schedule' }

export default async function SchedulePage({ params }: PageProps<'/campaigns/[campaign_id]/schedule'>) {
  const { user, campaign } = await loadCampaign(params)
  const now = new Date()
  const [mailboxes, given, forecast, holidays, known] = await Promise.all([
    loadMailboxes(campaign, now),
    givenMailboxes(campaign),
    forecastCampaign(user.workspace_id, campaign.campaign_id, { offset: 0, limit: 0 }, now),
    listHolidayCountries(),
    countClocks(user.workspace_id, campaign.dataset_id),
  ])
  return (
    <CampaignFrame campaign={campaign} tab="schedule" now={now}>
      <LiveForecast
        version={`${campaign.version}`}
        shown={<ForecastCurve forecast={ForecastCampaign.response.parse(forecast)} />}
        forecast={forecastSchedule.bind(null, campaign.campaign_id)}
      >
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <ViewOnly changes={UpdateCampaign} work={{ name: 'campaign_id', id: campaign.campaign_id }}>
            <ScheduleForm
              campaign={campaign}
              mailboxes={mailboxes.filter(
                ({ mailbox_id }) => !given || [...given, ...(campaign.alias_ids ?? [])].includes(mailbox_id),
              )}
              onlyGiven={given !== null}
              holidays={holidays}
              zones={[...TIMEZONES].sort()}
              known={known}
              save={saveSchedule.bind(null, campaign.campaign_id)}
              preview={isLive(campaign) ? previewChange.bind(null, campaign.campaign_id, 'schedule') : null}
            />
          </ViewOnly>
        </div>
      </LiveForecast>
    </CampaignFrame>
  )
}
