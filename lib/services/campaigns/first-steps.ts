import { db, pool } from '#lib/db/client'
import type { ScheduleTimezone } from '#lib/domain/calendar/schedule'
import { AWAITS_ANSWER } from '#lib/services/campaigns/reports/awaited-answers'

const WEEK_MS = 7 * 86_400_000

/** Which setup steps a new workspace has done on the way to its first campaign. */
export async function readFirstSteps(workspaceId: string) {
  const owned = { workspace_id: workspaceId }
  const [mailboxes, datasets, texts, campaigns, launched, importing] = await Promise.all([
    db.mailbox.count({ where: owned }),
    db.dataset.count({ where: { ...owned, row_count: { gt: 0 } } }),
    db.campaign.count({ where: { ...owned, NOT: { steps_config: { equals: [] } } } }),
    db.campaign.count({ where: owned }),
    db.campaign.count({ where: { ...owned, launched_at: { not: null } } }),
    db.datasetSession.count({ where: { ...owned, status: { in: ['queued', 'processing'] } } }),
  ])
  return {
    has_mailbox: mailboxes > 0,
    has_leads: datasets > 0,
    has_campaign: campaigns > 0,
    has_sequence: texts > 0,
    has_launched: launched > 0,
    is_importing: importing > 0,
  }
}

type FirstCampaign = {
  campaign_id: string
  name: string
  timezone: string
  schedule_timezone: ScheduleTimezone
  next_slot_at: Date | null
  daily_limit: number
  min_interval_seconds: number
  launched_at: Date
  sent_count: number
  replied_count: number
}

/** The first campaign that was launched here. Sample campaigns do not count. */
async function findFirstCampaign(workspaceId: string): Promise<FirstCampaign | null> {
  const [row] = await db.$queryRaw<FirstCampaign[]>`
    SELECT campaign_id, name, timezone, schedule_timezone, daily_limit, min_interval_seconds, next_slot_at, launched_at, sent_count, replied_count FROM campaigns c
    WHERE workspace_id = ${workspaceId}::uuid AND launched_at IS NOT NULL
      AND (launch_job_id IS NOT NULL OR NOT EXISTS (
        SELECT 1 FROM sample_items s WHERE s.kind = 'campaign' AND s.item_id = c.campaign_id))
    ORDER BY launched_at, campaign_id LIMIT 1`
  return row ?? null
}

/**
 * For the first week of the first campaign, until somebody has answered a reply: the campaign, its latest sandbox message, and a
 * conversation that awaits an answer. Null before and afterwards.
 */
export async function readNextSteps(workspaceId: string, now: Date) {
  const campaign = await findFirstCampaign(workspaceId)
  if (!campaign || now.getTime() - campaign.launched_at.getTime() > WEEK_MS) return null
  const owned = { workspace_id: workspaceId }
  const its = { ...owned, campaign_id: campaign.campaign_id }
  const [mail, replies, answered] = await Promise.all([
    db.sandboxMessage.findFirst({
      where: { ...owned, from_mailbox_id: { not: null } },
      orderBy: [{ received_at: 'desc' }, { sandbox_message_id: 'desc' }],
      select: { sandbox_message_id: true },
    }),
    pool().query<{ thread_id: string }>(
      `SELECT t.thread_id FROM threads t WHERE t.workspace_id = $1 AND t.campaign_id = $2 AND ${AWAITS_ANSWER}
       ORDER BY t.last_message_at DESC LIMIT 1`,
      [workspaceId, campaign.campaign_id],
    ),
    db.thread.findFirst({
      where: { ...its, messages: { some: { kind: 'answer' } } },
      select: { thread_id: true },
    }),
  ])
  if (answered) return null
  return {
    campaign,
    sandbox_message_id: mail?.sandbox_message_id ?? null,
    thread_id: replies.rows[0]?.thread_id ?? null,
  }
}
