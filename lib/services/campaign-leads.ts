import type { z } from 'zod'
import type { ListCampaignLeads } from '#lib/contracts/campaign-leads'
import { db } from '#lib/db/client'
import { likeText } from '#lib/db/like'
import { LEAD_STATUSES, type LeadStatus } from '#lib/domain/campaign-status'
import { getCampaign } from '#lib/services/campaigns'

/** The leads of one campaign in the order of its dataset, each with its row. */
export async function listCampaignLeads(
  userId: string,
  campaignId: string,
  { page, page_size, status, search }: z.output<typeof ListCampaignLeads.query>,
) {
  const campaign = await getCampaign(userId, campaignId)
  const where = {
    campaign_id: campaignId,
    user_id: userId,
    ...(status ? { status } : {}),
    ...(search ? { email: { contains: likeText(search.toLowerCase()) } } : {}),
  }
  const from = (page - 1) * page_size
  const [leads, total] =
    status || search
      ? await Promise.all([
          db.campaignLead.findMany({ where, orderBy: { lead_index: 'asc' }, skip: from, take: page_size }),
          db.campaignLead.count({ where }),
        ])
      : await Promise.all([
          // Enrolment leaves no gaps, so a page deep in the list is found by its numbers; the total is kept by triggers.
          db.campaignLead.findMany({
            where: { ...where, lead_index: { gte: from, lt: from + page_size } },
            orderBy: { lead_index: 'asc' },
          }),
          campaign.total_leads ?? 0,
        ])
  const rows = await db.datasetRow.findMany({
    where: { dataset_id: campaign.dataset_id, lead_index: { in: leads.map((lead) => lead.lead_index) } },
  })
  const cells = new Map(rows.map((row) => [row.lead_index, row.data as Record<string, string>]))
  const items = leads.map((lead) => ({ ...lead, data: cells.get(lead.lead_index) ?? {} }))
  return { items, total, page, page_size }
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
