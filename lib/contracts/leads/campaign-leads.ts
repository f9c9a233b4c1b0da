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

/** A minus sorts from the last; leads without the instant always come last. */
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
    lead_index: z.int().describe('Place in the dataset, from 0.'),
    email: z.string().nullable(),
    data: z.record(z.string(), z.json()).describe('The row of the dataset.'),
    status: z.enum(LEAD_STATUSES),
    current_step: z.int().describe('The last step performed; 0 before the first.'),
    next_action_at: dateTime().nullable().describe('When the next step is due; its slot may come later.'),
    last_event: z.enum(LEAD_EVENTS).nullable(),
    last_event_at: dateTime().nullable(),
    reason: z.enum(LEAD_REASON_NAMES).nullable().describe('Why the lead has this status.'),
    reason_detail: z
      .string()
      .nullable()
      .describe('The message of a server or a network, or of the suppression list entry.'),
    timezone: z
      .string()
      .nullable()
      .describe(
        'By whose clock it is written to, where leads keep their own (`schedule_timezone`); else null.',
      ),
    timezone_source: z
      .enum(ZONE_SOURCES)
      .nullable()
      .describe('The column of the row that says so; null: none does, and it is the campaign’s.'),
    waits_for: z
      .object({
        why: z
          .enum(WAIT_REASONS)
          .describe(
            '`away`: an absence notice says so; `asked_later`: they asked for it in a reply; `held`: a member holds them; the others are of the contact policy, as `reason` is.',
          ),
        campaign_id: id().nullable(),
        campaign_name: z.string().nullable().describe('The campaign that has, or had, the person.'),
        colleague: z.string().nullable().describe('Who of the company replied.'),
        not_before: dateTime()
          .nullable()
          .describe(
            'When the person is back; by the contact policy as far as was known when the lead began to wait. Null: nobody knows.',
          ),
      })
      .nullable()
      .describe('Why, for whom and until when the lead waits although its step would be due, while it does.'),
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
    .describe('true: only leads that wait, as `waits_for` says; false: only those that do not.'),
  search: optionalText().describe('Part of the address, the name or the company, in any case.'),
}

export const ListCampaignLeads = contract({
  id: 'listCampaignLeads',
  method: 'GET',
  path: '/campaigns/{campaign_id}/leads',
  tag: 'Campaigns',
  summary: 'List the leads of a campaign',
  description: 'In the order of the dataset, unless `sort` sets another. Empty before the launch.',
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
    'Every lead in the order of the dataset, or those that the list shows with the same `status`, `state`, `waiting` and `search`. Each has its row, its status, what it waits for (as `waits_for` of the list: `waits_why`, `waits_for` and `waits_until`) and when each step was performed. With social steps, it also has the profile, the account, the date of the connection and the outcome of each of these steps. CSV is UTF-8 with a byte order mark, and cells that look like formulas begin with an apostrophe, which an import takes off. XLSX stores every value as text.',
  params: z.object({ campaign_id: pathId() }),
  query: exportQuery().extend(filters),
  response: fileAnswer(),
  file: true,
  status: 200,
  errors: 'flat',
  scope: 'read',
  refusals: [404],
})
