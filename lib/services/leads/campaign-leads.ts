import type { QueryConfig } from 'pg'
import { z } from 'zod'
import { LEAD_SORTS, type ListCampaignLeads } from '#lib/contracts/leads/campaign-leads'
import { db, pool } from '#lib/db/client'
import { INSTANTS_AS_TEXT } from '#lib/db/instants'
import { bytesPattern, containsPattern } from '#lib/db/like'
import { firstRow, pageAndTotal } from '#lib/db/page'
import { hidden, prepared } from '#lib/db/prepared'
import { LEAD_STATUSES, type LeadStatus } from '#lib/domain/campaigns/campaign-status'
import type { ZoneSource } from '#lib/domain/enrichment/zone-evidence'
import type { LeadEvent } from '#lib/domain/leads/lead-moves'
import type { Reasoned } from '#lib/domain/leads/lead-reasons'
import { stateRule } from '#lib/domain/leads/lead-states'
import { AppError } from '#lib/errors'
import { INDEXED_TEXT, searchTextSql } from '#lib/services/datasets/lead-search'
import { storedCells } from '#lib/services/datasets/stored'
import { isWaitingSql, waitsFor } from '#lib/services/leads/waits-for'

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
  timezone: string | null
  timezone_source: ZoneSource | null
  data: Record<string, string>
} & Reasoned

const LEAD = `l.campaign_lead_id, l.lead_index, l.email, l.status, l.current_step, l.next_action_at, l.last_event,
    l.last_event_at, l.reason, l.reason_detail, l.timezone, l.timezone_source`
const OWN = 'l.campaign_id = $1 AND l.workspace_id = $2'
/**
 * How far the search texts of the campaign's dataset are filled. Read before a search, because a plan without
 * that value expects to read a third of the leads.
 */
const TEXTS = `SELECT dataset_id, searched_to FROM campaigns JOIN datasets USING (dataset_id)
  WHERE campaign_id = $1 AND campaigns.workspace_id = $2`
/**
 * Joins search texts `s` to leads. A lead's own address is searched directly; rows without a text yet are
 * searched by their names.
 */
const NAMED = `FROM dataset_texts s JOIN campaign_leads l ON l.campaign_id = $1 AND l.lead_index = s.lead_index
    WHERE s.dataset_id = $12 AND s.lead_index < $13 AND (s.names LIKE $10 OR l.email LIKE $10)`
const SEARCHED = `WITH found AS MATERIALIZED (
    SELECT l.campaign_lead_id ${NAMED} AND NOT s.is_loose AND ${INDEXED_TEXT} LIKE $11
    UNION ALL SELECT l.campaign_lead_id ${NAMED} AND s.is_loose
    UNION ALL SELECT l.campaign_lead_id FROM campaign_leads l
    WHERE l.campaign_id = $1 AND l.lead_index >= $13 AND (l.email LIKE $10
      OR (SELECT ${searchTextSql('r')} FROM dataset_rows r WHERE r.dataset_id = $12 AND r.lead_index = l.lead_index) LIKE $10))`
const FOUND = `${OWN} AND ($5::"LeadStatus" IS NULL OR l.status = $5)
    AND ($6::"LeadStatus"[] IS NULL OR l.status = ANY ($6)) AND ($7::boolean IS NULL OR (c.status = 'paused') = $7)
    AND ($8::boolean IS NULL OR ${isWaitingSql('$2', '$9')} = $8)`
const FOUND_BY_TEXT = `${FOUND} AND l.campaign_lead_id IN (SELECT campaign_lead_id FROM found)`

/**
 * Dataset rows are looked up only for the leads of the page, not for those skipped before it, and one by one:
 * with an unknown LIMIT the planner expects a tenth of the leads and would read the whole list.
 */
const listSql = (total: string, page: string, order: string) =>
  `SELECT ${total} AS total, page.*, coalesce(r.data, '{}') AS data
   FROM campaigns c LEFT JOIN LATERAL (SELECT ${LEAD}, l.dataset_id FROM campaign_leads l WHERE ${page}) page ON true
   LEFT JOIN LATERAL (SELECT r.data FROM dataset_rows r
     WHERE r.dataset_id = page.dataset_id AND r.lead_index = page.lead_index LIMIT 1) r ON true
   WHERE c.campaign_id = $1 AND c.workspace_id = $2 ORDER BY ${order}`
/**
 * If the campaign has every row of its dataset, a page deep in the list is found by row number; triggers keep
 * the total. The statement checks the workspace on the campaign only: a second condition on the leads makes
 * the planner expect a single lead, and it would read and sort all of them for each page.
 */
const FIRST_OF_PAGE = `CASE WHEN c.total_leads = (SELECT max(lead_index) + 1 FROM campaign_leads WHERE campaign_id = c.campaign_id)
  THEN ${hidden('$3::int')}
  ELSE (SELECT lead_index FROM campaign_leads WHERE campaign_id = c.campaign_id
    ORDER BY lead_index OFFSET ${hidden('$3::int')} LIMIT 1) END`
const LIST = listSql(
  'coalesce(c.total_leads, 0)',
  `l.campaign_id = c.campaign_id AND l.lead_index >= ${FIRST_OF_PAGE} ORDER BY l.lead_index LIMIT ${hidden('$4::int')}`,
  'page.lead_index',
)

const countSql = (found: string) => `(SELECT count(*)::int FROM campaign_leads l WHERE ${found})`

/** Two prepared texts per sort order, the second with a search. Built once and never from caller input. */
const LISTS = new Map<LeadSort, { all: string; searched: string }>(
  LEAD_SORTS.map((sort) => {
    const column = sort.replace('-', '')
    const direction = sort.startsWith('-') ? 'DESC' : 'ASC'
    const order = column === 'lead_index' ? direction : `${direction} NULLS LAST`
    const by = (table: string) =>
      column === 'lead_index'
        ? `${table}.lead_index ${order}`
        : `${table}.${column} ${order}, ${table}.lead_index`
    const sql = (found: string) =>
      listSql(countSql(found), `${found} ORDER BY ${by('l')} OFFSET $3 LIMIT $4`, by('page'))
    return [sort, { all: sql(FOUND), searched: `${SEARCHED} ${sql(FOUND_BY_TEXT)}` }]
  }),
)

/** A search is planned for its actual text: a name and a single letter need different plans. */
async function listQuery(
  sort: LeadSort,
  search: string | undefined,
  values: [campaignId: string, workspaceId: string, ...unknown[]],
): Promise<QueryConfig> {
  const sql = LISTS.get(sort)
  if (!sql) throw new Error(`No order "${sort}".`)
  if (!search) return prepared(sql.all, values)
  const { rows } = await pool().query<{ dataset_id: string; searched_to: number }>(TEXTS, values.slice(0, 2))
  const [texts] = rows
  if (!texts) throw new AppError('campaign_not_found')
  const words = [containsPattern(search), bytesPattern(search), texts.dataset_id, texts.searched_to]
  return { text: sql.searched, values: [...values, ...words] }
}

/** The leads of one campaign, each with its row; in dataset order unless `sort` says otherwise. */
export async function listCampaignLeads(workspaceId: string, campaignId: string, query: Page, now: Date) {
  const { page, page_size, status, state, waiting, search, sort = 'lead_index' } = query
  const isWhole = !status && !state && !waiting && !search && sort === 'lead_index'
  const rule = state ? stateRule(state) : null
  const values = [campaignId, workspaceId, firstRow({ page, page_size }), page_size] as const
  const isWaiting = waiting === undefined ? null : waiting === 'true'
  const where = [status ?? null, rule?.statuses ?? null, rule?.campaign_paused ?? null, isWaiting, now]
  const asked = isWhole ? prepared(LIST, [...values]) : await listQuery(sort, search, [...values, ...where])
  const { rows } = await pool().query<ListedLead & { total: number }>({ ...asked, types: INSTANTS_AS_TEXT })
  const listing = pageAndTotal<ListedLead>(rows, 'campaign_lead_id')
  if (!listing) throw new AppError('campaign_not_found')
  const waits = await waitsFor(workspaceId, listing.items, now)
  const items = listing.items.map((lead) => ({
    ...lead,
    waits_for: waits.get(lead.campaign_lead_id) ?? null,
  }))
  return { ...listing, items, page, page_size }
}

/** One lead with its row and what it waits for; null if the campaign has no such lead (any more). */
export async function findCampaignLead(workspaceId: string, campaignId: string, leadId: string, now: Date) {
  const lead = await db.campaignLead.findFirst({
    where: { campaign_lead_id: leadId, campaign_id: campaignId, workspace_id: workspaceId },
    select: {
      status: true,
      email: true,
      dataset_id: true,
      lead_index: true,
      person_id: true,
      timezone: true,
      timezone_source: true,
    },
  })
  if (!lead) return null
  const { dataset_id, lead_index, ...known } = lead
  const [row, waits] = await Promise.all([
    db.datasetRow.findUnique({ where: { dataset_id_lead_index: { dataset_id, lead_index } } }),
    waitsFor(workspaceId, [{ campaign_lead_id: leadId, status: known.status }], now),
  ])
  return { ...known, data: storedCells(row), waits_for: waits.get(leadId) ?? null }
}

const Counts = z.record(z.enum(LEAD_STATUSES), z.int())

/** The number of leads of a campaign by status. */
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

/**
 * The number of leads of each campaign that have not begun. An index-only scan, however many leads there are.
 */
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
