import { z } from 'zod'
import { db, pool } from '#lib/db/client'
import { AppError } from '#lib/errors'
import { forecastFromState } from '#lib/services/forecast/beside'
import { forecastable } from '#lib/services/forecast/campaign'

const Days = z.array(z.object({ date: z.string(), planned: z.number() }))

/** The forecast stored when a campaign starts at `now`: a row of `launch_forecasts`. */
export async function forecastOfLaunch(campaignId: string, now: Date) {
  const row = await db.campaign.findUnique({
    where: { campaign_id: campaignId },
    include: { workspace: { select: { timezone: true } } },
  })
  if (!row) throw new AppError('campaign_not_found')
  const campaign = { ...forecastable(row, row.workspace.timezone), launched_at: now }
  const planned = await forecastFromState(pool(), campaign, now, now)
  return {
    made_at: now,
    finish_at: planned.finish_at === null ? null : new Date(planned.finish_at),
    total_actions: planned.total_actions,
    days: planned.days,
  }
}

/**
 * Compares the forecast made at launch with what was performed, day by day; null if there is no such
 * forecast.
 */
export async function launchAgainstPerformed(campaignId: string) {
  const [launch, performed] = await Promise.all([
    db.launchForecast.findUnique({ where: { campaign_id: campaignId } }),
    db.campaignDay.findMany({ where: { campaign_id: campaignId, used: { gt: 0 } } }),
  ])
  if (!launch) return null
  const days = new Map<string, { planned: number; performed: number }>()
  for (const { date, planned } of Days.parse(launch.days)) days.set(date, { planned, performed: 0 })
  for (const { window_day, used } of performed) {
    const date = window_day.toISOString().slice(0, 10)
    days.set(date, { planned: 0, ...days.get(date), performed: used })
  }
  return {
    made_at: launch.made_at.getTime(),
    finish_at: launch.finish_at?.getTime() ?? null,
    total_actions: launch.total_actions,
    days: [...days].sort(([a], [b]) => (a < b ? -1 : 1)).map(([date, counts]) => ({ date, ...counts })),
  }
}
