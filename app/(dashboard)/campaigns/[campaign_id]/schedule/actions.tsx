'use server'

import type { ReactNode } from 'react'
import { ForecastCurve } from '#components/campaigns/forecast-curve'
import { ReadCampaign } from '#lib/contracts/campaigns'
import { Forecast, ForecastDraft } from '#lib/contracts/forecasts'
import { requireUser } from '#lib/http/session'
import { getCampaign } from '#lib/services/campaigns'
import { forecastDraft } from '#lib/services/forecasts'
import { scheduleOf } from './fields.ts'

/** The forecast of a schedule that is not saved, for a campaign before its launch; null where it makes no schedule. */
export async function forecastSchedule(campaignId: string, data: FormData): Promise<ReactNode> {
  const user = await requireUser()
  const { campaign_id } = ReadCampaign.params.parse({ campaign_id: campaignId })
  const { dataset_id, steps_config, launched_at } = await getCampaign(user.user_id, campaign_id)
  if (launched_at) return null
  const body = ForecastDraft.body.safeParse({ ...scheduleOf(data), dataset_id, steps_config })
  if (!body.success) return null
  const forecast = await forecastDraft(user.user_id, body.data, { offset: 0, limit: 0 }, new Date())
  return <ForecastCurve forecast={Forecast.parse(forecast)} />
}
