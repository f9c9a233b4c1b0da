import type { z } from 'zod'
import type { ListCampaignLeads } from '#lib/contracts/campaign-leads'
import { db, pool } from '#lib/db/client'
import { likeText } from '#lib/db/like'
import { prepared } from '#lib/db/prepared'
import { LEAD_STATUSES, type LeadStatus } from '#lib/domain/campaign-status'
import { AppError } from '#lib/errors'

type Page = z.output<typeof ListCampaignLeads.query>

type ListedLead = {
  campaign_lead_id: string
  lead_index: number
  email: string | null
  status: LeadStatus
  current_step: number
  next_action_at: Date | null
  last_event: string | null
  last_event_at: Date | null
  reason: string | null
  data: Record<string, string>
}

const LEADS = `SELECT l.campaign_lead_id, l.lead_index, l.email, l.status, l.current_step, l.next_action_at, l.last_event,
    l.last_event_at, l.reason, coalesce(r.data, '{}') AS data
  FROM campaign_leads l LEFT JOIN dataset_rows r ON r.dataset_id = l.dataset_id AND r.lead_index = l.lead_index
  WHERE l.campaign_id = $1 AND l.user_id = $2`
const FOUND = 'AND ($3::"LeadStatus" IS NULL OR l.status = $3) AND ($4::text IS NULL OR l.email LIKE $4)'

/** The leads of one campaign in the order of its dataset, each with its row. */
export async function listCampaignLeads(userId: string, campaignId: string, query: Page) {
  const { page, page_size, status, search } = query
  const [campaign, found] = await Promise.all([
    db.campaign.findFirst({
      where: { campaign_id: campaignId, user_id: userId },
      select: { total_leads: true },
    }),
    status || search ? findLeads(userId, campaignId, query) : pageOfLeads(userId, campaignId, query),
  ])
  if (!campaign) throw new AppError('campaign_not_found')
  return { items: found.items, total: found.total ?? campaign.total_leads ?? 0, page, page_size }
}

/** Enrolment leaves no gaps, so a page deep in the list is found by its numbers; the total is kept by triggers. */
async function pageOfLeads(userId: string, campaignId: string, { page, page_size }: Page) {
  const from = (page - 1) * page_size
  const { rows } = await pool().query<ListedLead>(
    prepared(`${LEADS} AND l.lead_index >= $3 AND l.lead_index < $4 ORDER BY l.lead_index`, [
      campaignId,
      userId,
      from,
      from + page_size,
    ]),
  )
  return { items: rows, total: null }
}

async function findLeads(userId: string, campaignId: string, { page, page_size, status, search }: Page) {
  const where = [campaignId, userId, status ?? null, search ? `%${likeText(search.toLowerCase())}%` : null]
  const [{ rows }, { rows: counted }] = await Promise.all([
    pool().query<ListedLead>(`${LEADS} ${FOUND} ORDER BY l.lead_index OFFSET $5 LIMIT $6`, [
      ...where,
      (page - 1) * page_size,
      page_size,
    ]),
    pool().query<{ total: number }>(
      `SELECT count(*)::int AS total FROM campaign_leads l WHERE l.campaign_id = $1 AND l.user_id = $2 ${FOUND}`,
      where,
    ),
  ])
  return { items: rows, total: counted[0]?.total ?? 0 }
}

/** How many leads of a campaign are in each status. */
export async function countCampaignLeads(
  userId: string,
  campaignId: string,
): Promise<Record<LeadStatus, number>> {
  const groups = await db.campaignLead.groupBy({
    by: ['status'],
    where: { campaign_id: campaignId, user_id: userId },
    _count: { _all: true },
  })
  const counts = new Map(groups.map((group) => [group.status, group._count._all]))
  const of = (status: LeadStatus) => counts.get(status) ?? 0
  return Object.fromEntries(LEAD_STATUSES.map((status) => [status, of(status)])) as Record<LeadStatus, number>
}
