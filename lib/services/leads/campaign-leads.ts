import { z } from 'zod'
import { LEAD_SORTS, type ListCampaignLeads } from '#lib/contracts/leads/campaign-leads'
import { db, pool } from '#lib/db/client'
import { INSTANTS_AS_TEXT } from '#lib/db/instants'
import { likeText } from '#lib/db/like'
import { firstRow, pageAndTotal } from '#lib/db/page'
import { hidden, prepared } from '#lib/db/prepared'
import { LEAD_STATUSES, type LeadStatus } from '#lib/domain/campaigns/campaign-status'
import type { LeadEvent } from '#lib/domain/leads/lead-moves'
import type { Reasoned } from '#lib/domain/leads/lead-reasons'
import { stateRule } from '#lib/domain/leads/lead-states'
import { AppError } from '#lib/errors'
import { searchTextSql } from '#lib/services/datasets/lead-search'
import { storedCells } from '#lib/services/datasets/stored'
import { waitsFor } from '#lib/services/leads/waits-for'

type Page = z.output<typeof ListCampaignLeads.query>

type LeadSort = (typeof LEAD_SORTS)[number]

type ListedLead = {
  campaign_lead_id: string
  lead_index: number
  email: string | null
  status: LeadStatus
  current_step: number
  next_action_at: string | null
  last_event: LeadEvent | null
  last_event_at: string | null
  data: Record<string, string>
} & Reasoned

const LEAD = `l.campaign_lead_id, l.lead_index, l.email, l.status, l.current_step, l.next_action_at, l.last_event,
    l.last_event_at, l.reason, l.reason_detail`
const OWN = 'l.campaign_id = $1 AND l.workspace_id = $2'
/** By their row of the dataset, which is read through once however often this is asked. */
const NAMES = `WITH named AS MATERIALIZED (SELECT r.lead_index FROM dataset_rows r
   WHERE r.dataset_id = (SELECT dataset_id FROM campaigns WHERE campaign_id = $1 AND workspace_id = $2)
     AND ${searchTextSql('r')} LIKE $6)`
const NAMED = 'l.email LIKE $6 OR l.lead_index IN (SELECT lead_index FROM named)'
const FOUND = `${OWN} AND ($5::"LeadStatus" IS NULL OR l.status = $5) AND ($6::text IS NULL OR ${NAMED})
    AND ($7::"LeadStatus"[] IS NULL OR l.status = ANY ($7)) AND ($8::boolean IS NULL OR (c.status = 'paused') = $8)`

/** Rows of the dataset are joined to the page only, not to the leads that were skipped on the way to it. */
const listSql = (total: string, page: string, order: string) =>
  `SELECT ${total} AS total, page.*, coalesce(r.data, '{}') AS data
   FROM campaigns c LEFT JOIN LATERAL (SELECT ${LEAD}, l.dataset_id FROM campaign_leads l WHERE ${page}) page ON true
   LEFT JOIN dataset_rows r ON r.dataset_id = page.dataset_id AND r.lead_index = page.lead_index
   WHERE c.campaign_id = $1 AND c.workspace_id = $2 ORDER BY ${order}`
/** Where a campaign has every row, a page deep in its list is found by its numbers; the total is kept by triggers. */
const FIRST_OF_PAGE = `CASE WHEN c.total_leads = (SELECT max(lead_index) + 1 FROM campaign_leads
    WHERE campaign_id = $1 AND workspace_id = $2)
  THEN ${hidden('$3::int')}
  ELSE (SELECT lead_index FROM campaign_leads WHERE campaign_id = $1 AND workspace_id = $2
    ORDER BY lead_index OFFSET ${hidden('$3::int')} LIMIT 1) END`
const LIST = listSql(
  'coalesce(c.total_leads, 0)',
  `${OWN} AND l.lead_index >= ${FIRST_OF_PAGE} ORDER BY l.lead_index LIMIT ${hidden('$4::int')}`,
  'page.lead_index',
)

const TOTAL = `(SELECT count(*)::int FROM campaign_leads l WHERE ${FOUND})`

/** One text for each order, made once: none is made from what a caller says. */
const SEARCHES = new Map<LeadSort, string>(
  LEAD_SORTS.map((sort) => {
    const column = sort.replace('-', '')
    const direction = sort.startsWith('-') ? 'DESC' : 'ASC'
    const order = column === 'lead_index' ? direction : `${direction} NULLS LAST`
    const by = (table: string) =>
      column === 'lead_index'
        ? `${table}.lead_index ${order}`
        : `${table}.${column} ${order}, ${table}.lead_index`
    return [sort, `${NAMES} ${listSql(TOTAL, `${FOUND} ORDER BY ${by('l')} OFFSET $3 LIMIT $4`, by('page'))}`]
  }),
)

/** The leads of one campaign, each with its row; in the order of the dataset unless `sort` says otherwise. */
export async function listCampaignLeads(workspaceId: string, campaignId: string, query: Page) {
  const { page, page_size, status, state, search, sort = 'lead_index' } = query
  const isWhole = !status && !state && !search && sort === 'lead_index'
  const rule = state ? stateRule(state) : null
  const where = [
    status ?? null,
    search ? `%${likeText(search.toLowerCase())}%` : null,
    rule?.statuses ?? null,
    rule?.campaign_paused ?? null,
  ]
  const asked = prepared(isWhole ? LIST : (SEARCHES.get(sort) ?? LIST), [
    campaignId,
    workspaceId,
    firstRow({ page, page_size }),
    page_size,
    ...(isWhole ? [] : where),
  ])
  const { rows } = await pool().query<ListedLead & { total: number }>({ ...asked, types: INSTANTS_AS_TEXT })
  const listing = pageAndTotal<ListedLead>(rows, 'campaign_lead_id')
  if (!listing) throw new AppError('campaign_not_found')
  const waits = await waitsFor(workspaceId, listing.items)
  const items = listing.items.map((lead) => ({
    ...lead,
    waits_for: waits.get(lead.campaign_lead_id) ?? null,
  }))
  return { ...listing, items, page, page_size }
}

/** One lead with its row; null where it is not of this campaign (any more). */
export async function findCampaignLead(workspaceId: string, campaignId: string, leadId: string) {
  const lead = await db.campaignLead.findFirst({
    where: { campaign_lead_id: leadId, campaign_id: campaignId, workspace_id: workspaceId },
    select: { status: true, email: true, dataset_id: true, lead_index: true, person_id: true },
  })
  if (!lead) return null
  const { dataset_id, lead_index, ...known } = lead
  const row = await db.datasetRow.findUnique({ where: { dataset_id_lead_index: { dataset_id, lead_index } } })
  return { ...known, data: storedCells(row) }
}

const Counts = z.record(z.enum(LEAD_STATUSES), z.int())

/** How many leads of a campaign are in each status. */
export async function countCampaignLeads(
  workspaceId: string,
  campaignId: string,
): Promise<Record<LeadStatus, number>> {
  const groups = await db.campaignLead.groupBy({
    by: ['status'],
    where: { campaign_id: campaignId, workspace_id: workspaceId },
    _count: { _all: true },
  })
  const counts = new Map(groups.map((group) => [group.status, group._count._all]))
  const of = (status: LeadStatus) => counts.get(status) ?? 0
  return Counts.parse(Object.fromEntries(LEAD_STATUSES.map((status) => [status, of(status)])))
}

/** How many leads of each of these campaigns have not begun: read off an index, however many leads there are. */
export async function countPending(workspaceId: string, campaignIds: string[]): Promise<Map<string, number>> {
  if (campaignIds.length === 0) return new Map()
  const { rows } = await pool().query<{ campaign_id: string; pending: number }>(
    prepared(
      `SELECT c.campaign_id, (SELECT count(*)::int FROM campaign_leads l
         WHERE l.campaign_id = c.campaign_id AND l.status = 'pending') AS pending
       FROM campaigns c WHERE c.workspace_id = $1 AND c.campaign_id = ANY ($2::uuid[])`,
      [workspaceId, campaignIds],
    ),
  )
  return new Map(rows.map(({ campaign_id, pending }) => [campaign_id, pending]))
}
