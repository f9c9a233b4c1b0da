import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import {
  dateTime,
  exportQuery,
  fileAnswer,
  id,
  listEnvelope,
  optionalText,
  paging,
  pathId,
  sortBy,
} from '#lib/contracts/fields'
import { LEAD_STATUSES } from '#lib/domain/campaigns/campaign-status'
import { ZONE_SOURCES } from '#lib/domain/enrichment/zone-evidence'
import { LEAD_EVENTS } from '#lib/domain/leads/lead-moves'
import { LEAD_REASON_NAMES } from '#lib/domain/leads/lead-reasons'
import { LEAD_STATES } from '#lib/domain/leads/lead-states'
import { WAIT_REASONS } from '#lib/domain/leads/wait-reasons'

/** A leading minus sorts descending; leads without the instant always come last. */
export const LEAD_SORTS = [
  'lead_index',
  '-lead_index',
  'email',
  '-email',
  'next_action_at',
  '-next_action_at',
  'last_event_at',
  '-last_event_at',
] as const

export const CampaignLead = z
  .object({
    campaign_lead_id: id(),
    lead_index: z.int().describe('Row index in the dataset, from 0.'),
    email: z.string().nullable(),
    data: z.record(z.string(), z.json()).describe('The dataset row.'),
    status: z.enum(LEAD_STATUSES),
    current_step: z.int().describe('The last step performed. 0 before the first.'),
    next_action_at: dateTime().nullable().describe('When the next step is due. Its slot may be later.'),
    last_event: z.enum(LEAD_EVENTS).nullable(),
    last_event_at: dateTime().nullable(),
    reason: z.enum(LEAD_REASON_NAMES).nullable().describe('Why the lead has this status.'),
    reason_detail: z
      .string()
      .nullable()
      .describe('The message from the server or network, or the suppression reason.'),
    timezone: z
      .string()
      .nullable()
      .describe(
        'The time zone it is contacted in, if leads use their own (`schedule_timezone`). Otherwise null.',
      ),
    timezone_source: z
      .enum(ZONE_SOURCES)
      .nullable()
      .describe('The column it was read from. Null: none, so the campaign’s is used.'),
    waits_for: z
      .object({
        why: z
          .enum(WAIT_REASONS)
          .describe(
            '`away`: an absence notice says so. `asked_later`: they asked for it in a reply. `held`: a member holds them. The others come from the contact policy, like `reason`.',
          ),
        campaign_id: id().nullable(),
        campaign_name: z.string().nullable().describe('The campaign that has or had the person.'),
        colleague: z.string().nullable().describe('Who at the company replied.'),
        not_before: dateTime()
          .nullable()
          .describe(
            'When the person is back. Under the contact policy, as known when the lead started waiting. Null: unknown.',
          ),
      })
      .nullable()
      .describe('Why, for whom and until when the lead waits although its step would be due.'),
  })
  .meta({ id: 'CampaignLead' })
export type CampaignLead = z.output<typeof CampaignLead>

const filters = {
  status: z.preprocess((value) => (value === '' ? undefined : value), z.enum(LEAD_STATUSES).optional()),
  state: z
    .preprocess((value) => (value === '' ? undefined : value), z.enum(LEAD_STATES).optional())
    .describe(
      'A group of statuses: `error` is failed and bounced, `finished` completed, unsubscribed and skipped; while the campaign is paused, pending and active leads are `paused`.',
    ),
  waiting: z
    .preprocess((value) => (value === '' ? undefined : value), z.enum(['true', 'false']).optional())
    .describe('`true`: only leads that wait, see `waits_for`. `false`: only those that do not.'),
  search: optionalText().describe('Part of the address, name or company. Case does not matter.'),
}

export const ListCampaignLeads = contract({
  id: 'listCampaignLeads',
  method: 'GET',
  path: '/campaigns/{campaign_id}/leads',
  tag: 'Campaigns',
  summary: 'List the leads of a campaign',
  description: 'In dataset order unless `sort` sets another. Empty before launch.',
  params: z.object({ campaign_id: pathId() }),
  query: z.object({
    ...filters,
    sort: sortBy(LEAD_SORTS),
    ...paging,
  }),
  response: listEnvelope(CampaignLead),
  status: 200,
  errors: 'flat',
  scope: 'read',
  refusals: [404],
})

export const ExportCampaignLeads = contract({
  id: 'exportCampaignLeads',
  method: 'GET',
  path: '/campaigns/{campaign_id}/export',
  tag: 'Campaigns',
  summary: 'Export the leads of a campaign',
  description:
    'Every lead in dataset order, or those the list returns with the same `status`, `state`, `waiting` and `search`. Each has its row, its status, what it waits for (`waits_why`, `waits_for` and `waits_until`, as in the list) and when each step was performed. With social steps, also the profile, the account, the connection date and each step’s outcome. CSV is UTF-8 with a byte order mark. Cells that look like formulas start with an apostrophe, which an import removes. XLSX stores every value as text.',
  params: z.object({ campaign_id: pathId() }),
  query: exportQuery().extend(filters),
  response: fileAnswer(),
  file: true,
  status: 200,
  errors: 'flat',
  scope: 'read',
  refusals: [404],
})
