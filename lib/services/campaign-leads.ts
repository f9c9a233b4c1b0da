import type { z } from 'zod'
import type { ListCampaignLeads } from '#lib/contracts/campaign-leads'
import { db, pool } from '#lib/db/client'
import { likeText } from '#lib/db/like'
import { pageAndTotal } from '#lib/db/page'
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

const PAGE = `SELECT l.campaign_lead_id, l.lead_index, l.email, l.status, l.current_step, l.next_action_at, l.last_event,
    l.last_event_at, l.reason, coalesce(r.data, '{}') AS data
  FROM campaign_leads l LEFT JOIN dataset_rows r ON r.dataset_id = l.dataset_id AND r.lead_index = l.lead_index
  WHERE l.campaign_id = $1 AND l.user_id = $2`
const FOUND = 'AND ($5::"LeadStatus" IS NULL OR l.status = $5) AND ($6::text IS NULL OR l.email LIKE $6)'

const listSql = (total: string, page: string) =>
  `SELECT ${total} AS total, page.* FROM campaigns c LEFT JOIN LATERAL (${page}) page ON true
   WHERE c.campaign_id = $1 AND c.user_id = $2 ORDER BY page.lead_index`
/** Enrolment leaves no gaps, so a page deep in the list is found by its numbers; the total is kept by triggers. */
const LIST = listSql(
  'coalesce(c.total_leads, 0)',
  `${PAGE} AND l.lead_index >= $3 AND l.lead_index < $3 + $4 ORDER BY l.lead_index`,
)
const SEARCH = listSql(
  `(SELECT count(*)::int FROM campaign_leads l WHERE l.campaign_id = $1 AND l.user_id = $2 ${FOUND})`,
  `${PAGE} ${FOUND} ORDER BY l.lead_index OFFSET $3 LIMIT $4`,
)

/** The leads of one campaign in the order of its dataset, each with its row. */
export async function listCampaignLeads(userId: string, campaignId: string, query: Page) {
  const { page, page_size, status, search } = query
  const isSearch = Boolean(status || search)
  const where = [status ?? null, search ? `%${likeText(search.toLowerCase())}%` : null]
  const { rows } = await pool().query<ListedLead & { total: number }>(
    prepared(isSearch ? SEARCH : LIST, [
      campaignId,
      userId,
      (page - 1) * page_size,
      page_size,
      ...(isSearch ? where : []),
    ]),
  )
  const found = pageAndTotal<ListedLead>(rows, 'campaign_lead_id')
  if (!found) throw new AppError('campaign_not_found')
  return { ...found, page, page_size }
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
