import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { dateTime, id, listEnvelope, paging, pathId, sortBy, text } from '#lib/contracts/fields'
import { REPORT_DAYS } from '#lib/domain/campaigns/report-days'
import { bothWays } from '#lib/domain/text/row-order'

const MAX_REPORT_DAYS = 365
/** A longer report would not be read, and every campaign is counted anew whenever the report is opened. */
const MAX_CAMPAIGNS = 20

export const ReportLink = z
  .object({
    report_link_id: id(),
    workspace_id: id(),
    user_id: id().describe('Who made it.'),
    name: z.string().describe('The title of its page.'),
    campaigns: z
      .array(z.object({ campaign_id: id(), name: z.string() }))
      .describe('The campaigns it shows, without deleted ones. If none are left, the link opens nothing.'),
    show_names: z
      .boolean()
      .describe('Whether the page names people who replied. It never shows addresses or texts.'),
    open_count: z.int().describe('How often the page was opened.'),
    last_opened_at: dateTime().nullable(),
    created_at: dateTime(),
    expires_at: dateTime(),
  })
  .meta({ id: 'ReportLink' })
export type ReportLink = z.output<typeof ReportLink>

const NewReportLink = ReportLink.extend({
  url: z.string().describe('The link, returned only here.'),
}).meta({ id: 'NewReportLink' })

export const REPORT_SORTS = bothWays(['name', 'open_count', 'last_opened_at', 'expires_at'])

export const ListReportLinks = contract({
  id: 'listReportLinks',
  method: 'GET',
  path: '/report-links',
  tag: 'Campaigns',
  errors: 'flat',
  summary: 'List report links',
  description:
    'Newest first unless `sort` sets another order, including expired ones. Members get links that show only their own campaigns.',
  query: z.object({
    sort: sortBy(REPORT_SORTS),
    ...paging,
    campaign_id: id().optional().describe('Only links that include this campaign.'),
  }),
  response: listEnvelope(ReportLink),
  status: 200,
  scope: 'read',
  role: 'member',
})

export const CreateReportLink = contract({
  id: 'createReportLink',
  method: 'POST',
  path: '/report-links',
  tag: 'Campaigns',
  errors: 'flat',
  summary: 'Create a report link',
  description:
    'Anyone with the link sees the counts and rates of these campaigns, without an account, until it expires or is revoked. Members can share only their own campaigns. 404 `campaign_not_found` if one of them is not in the workspace, 409 `report_links_full` above 500 links.',
  body: z.object({
    name: text(1, 100).trim(),
    campaign_ids: z.array(id()).min(1).max(MAX_CAMPAIGNS),
    show_names: z.boolean().default(false),
    expires_in_days: z.int().min(1).max(MAX_REPORT_DAYS).default(REPORT_DAYS),
  }),
  response: NewReportLink,
  status: 201,
  scope: 'write',
  refusals: [404, 409],
})

export const RevokeReportLink = contract({
  id: 'revokeReportLink',
  method: 'DELETE',
  path: '/report-links/{report_link_id}',
  tag: 'Campaigns',
  errors: 'flat',
  summary: 'Revoke a report link',
  description:
    'Its page stops working immediately for everybody. This cannot be undone; create another link instead.',
  params: z.object({ report_link_id: pathId() }),
  response: null,
  status: 204,
  scope: 'write',
  refusals: [404],
  destructive: true,
})
