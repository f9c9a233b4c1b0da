'use server'

import type { ReactNode } from 'react'
import { ForecastCurve } from '#components/forecast/forecast-curve'
import { CreateCampaign, ReadCampaign } from '#lib/contracts/campaigns/campaigns'
import { Forecast } from '#lib/contracts/campaigns/forecast-shape'
import { requireUser } from '#lib/http/session'
import { forecastEdited } from '#lib/services/forecast/forecasts'
import { readSchedule } from './fields.ts'

const Schedule = CreateCampaign.body.pick({
  sending_window_start: true,
  sending_window_end: true,
  timezone: true,
  send_days: true,
  daily_limit: true,
  min_interval_seconds: true,
  alias_ids: true,
})

/** The forecast of a schedule that is not saved; null where it makes no schedule. */
export async function forecastSchedule(campaignId: string, data: FormData): Promise<ReactNode> {
  const user = await requireUser()
  const { campaign_id } = ReadCampaign.params.parse({ campaign_id: campaignId })
  const edit = Schedule.safeParse(readSchedule(data))
  if (!edit.success) return null
  const forecast = await forecastEdited(user.user_id, campaign_id, edit.data, new Date())
  return <ForecastCurve forecast={Forecast.parse(forecast)} />
}
