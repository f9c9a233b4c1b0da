'use server'

import type { ReactNode } from 'react'
import { ForecastCurve } from '#components/forecast/forecast-curve'
import { forecastEdit } from '#lib/operations/campaigns/forecasts'
import { perform } from '../../../../action.ts'
import { orNull } from '../../../../form-result.ts'
import { readSchedule } from './fields.ts'

/** The forecast for an unsaved schedule; null if it is invalid. */
export async function forecastSchedule(campaign_id: string, data: FormData): Promise<ReactNode> {
  const forecast = await orNull(
    perform(forecastEdit, { params: { campaign_id }, query: { limit: '0' }, body: readSchedule(data) }),
  )
  return forecast && <ForecastCurve forecast={forecast} />
}
