import type { z } from 'zod'
import type { Rate } from '#lib/contracts/campaigns/campaign-analytics'
import { db, pool } from '#lib/db/client'
import { compareMeasures, daysSince, deliveredRate } from '#lib/domain/analytics/comparison'
import { rateWithInterval } from '#lib/domain/analytics/statistics'
import { formatDay, loadZone, toDay } from '#lib/domain/calendar/zoned-time'
import { AppError } from '#lib/errors'
import { readCampaignAnalytics } from '#lib/services/campaigns/campaign-analytics'
import { getCampaign } from '#lib/services/campaigns/campaigns'

/** Compares two campaigns, each since its own launch, by the figures of their analytics. */
export async function compareCampaigns(workspaceId: string, campaignId: string, compareTo?: string) {
  // First, so that an unknown campaign is reported before anything is compared.
  await getCampaign(workspaceId, campaignId)
  const otherId = compareTo ?? (await launchedLast(workspaceId, campaignId))
  const [own, other] = await Promise.all([readSide(workspaceId, campaignId), readSide(workspaceId, otherId)])
  return {
    campaign: own.campaign,
    compare_to: other.campaign,
    measures: compareMeasures(own.rates, other.rates),
    days: Array.from({ length: Math.max(own.days.length, other.days.length) }, (_, day) => ({
      day,
      campaign: own.days[day] ?? null,
      compare_to: other.days[day] ?? null,
    })),
  }
}

async function launchedLast(workspaceId: string, besides: string): Promise<string> {
  const other = await db.campaign.findFirst({
    where: { workspace_id: workspaceId, campaign_id: { not: besides }, launched_at: { not: null } },
    orderBy: [{ launched_at: 'desc' }, { campaign_id: 'asc' }],
    select: { campaign_id: true },
  })
  if (!other) throw new AppError('invalid_state', { message: 'No other campaign has been launched yet.' })
  return other.campaign_id
}

async function readSide(workspaceId: string, campaignId: string) {
  const { name, timezone, launched_at } = await getCampaign(workspaceId, campaignId)
  const analytics = await readCampaignAnalytics(workspaceId, campaignId)
  const { leads, days, bounce_rate, open_rate, click_rate, reply_rate, unsubscribe_rate } = analytics
  const rates: Record<'opened' | 'clicked', z.output<typeof Rate> | null> = {
    opened: open_rate,
    clicked: click_rate,
  }
  const sums = daysSince(launched_at ? localDate(timezone, launched_at) : '', days)
  return {
    campaign: {
      campaign_id: campaignId,
      name,
      launched_at,
      sent: sums.reduce((sum, day) => sum + day.sent, 0),
      contacted: leads.contacted,
    },
    rates: {
      ...rates,
      delivered: deliveredRate(bounce_rate),
      replied: reply_rate,
      interested: rateWithInterval(await countInterested(workspaceId, campaignId), leads.contacted),
      bounced: bounce_rate,
      unsubscribed: unsubscribe_rate,
    },
    days: sums,
  }
}

const localDate = (timezone: string, at: Date) => formatDay(toDay(loadZone(timezone), at.getTime()))

/** Replied leads with a conversation marked as interested, on any channel. */
async function countInterested(workspaceId: string, campaignId: string): Promise<number> {
  const { rows } = await pool().query<{ count: number }>(
    `SELECT count(DISTINCT t.campaign_lead_id)::int AS count
     FROM threads t JOIN campaign_leads l USING (campaign_lead_id)
     WHERE t.workspace_id = $1 AND t.intent IN ('interested', 'meeting') AND l.campaign_id = $2 AND l.status = 'replied'`,
    [workspaceId, campaignId],
  )
  return rows[0]?.count ?? 0
}
