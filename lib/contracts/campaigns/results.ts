import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { dateTime, id, listEnvelope, paging } from '#lib/contracts/fields'
import { CAMPAIGN_STATUSES } from '#lib/domain/campaigns/campaign-status'

export const CampaignResult = z
  .object({
    campaign_id: id(),
    name: z.string(),
    status: z.enum(CAMPAIGN_STATUSES),
    total_leads: z.int().nullable(),
    sent_count: z.int(),
    replied_count: z.int(),
    bounced_count: z.int(),
    launched_at: dateTime().nullable(),
  })
  .meta({ id: 'CampaignResult' })
export type CampaignResult = z.output<typeof CampaignResult>

export const ListResults = contract({
  id: 'listResults',
  method: 'GET',
  path: '/results',
  tag: 'Campaigns',
  errors: 'flat',
  summary: 'List campaign results',
  description:
    'Counts for each launched campaign, latest first. Clients get only the campaigns assigned to them. See `/campaigns/{campaign_id}/analytics` for rates.',
  query: z.object(paging),
  response: listEnvelope(CampaignResult),
  status: 200,
  scope: 'read',
  role: 'client',
})
