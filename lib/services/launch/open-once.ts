import { pool } from '#lib/db/client'
import { inTransaction } from '#lib/db/transaction'
import { openingOnce } from '#lib/domain/calendar/open-once'
import { mayDispatch } from '#lib/domain/campaigns/campaign-status'
import { AppError } from '#lib/errors'
import { getCampaign } from '#lib/services/campaigns/campaigns'
import { loadHolidays } from '#lib/services/campaigns/days/holidays'
import { logged, writeLog } from '#lib/services/campaigns/decision-log'
import { wakeCampaigns } from '#lib/services/campaigns/state'
import { requireGiven } from '#lib/services/instance/given-senders'

/**
 * Opens a running campaign once, outside its sending hours. Its limits and intervals hold, and what was sent today counts towards the daily
 * limit.
 */
export async function sendNowOnce(workspaceId: string, campaignId: string, now: Date) {
  const campaign = await getCampaign(workspaceId, campaignId)
  const { campaign_id, status, schedule_timezone } = campaign
  if (!mayDispatch(status))
    throw new AppError('invalid_state', { message: `The campaign is ${status}, so it is not sending.` })
  if (schedule_timezone === 'lead')
    throw new AppError('invalid_state', {
      message: 'Its leads are contacted in their own time zones, so it cannot send to all of them at once.',
    })
  await requireGiven(campaign)
  const opening = openingOnce({ ...campaign, holidays: await loadHolidays(campaign) }, now.getTime())
  if (!opening)
    throw new AppError('invalid_state', { message: 'The campaign is already within its sending hours.' })
  const until = new Date(opening.until)
  await inTransaction(pool(), async (client) => {
    const { rowCount } = await client.query(
      `UPDATE campaigns SET open_from = $3, open_until = $4, updated_at = $3
       WHERE campaign_id = $1 AND workspace_id = $2 AND status = $5`,
      [campaign_id, workspaceId, now, until, status],
    )
    if (rowCount === 0) throw new AppError('conflict')
    await wakeCampaigns(client, [campaign_id], now)
    const detail = { until: until.toISOString() }
    await writeLog(client, [logged(campaign, 'opened_once', now, { detail })])
  })
  return getCampaign(workspaceId, campaignId)
}
