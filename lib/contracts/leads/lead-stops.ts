import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { id, pathId } from '#lib/contracts/fields'

export const MAX_LEADS_AT_ONCE = 1_000

const LEAD_REMAINS = [
  'not_found',
  'not_waiting',
  'not_stopped',
  'suppressed',
  'edited',
  'under_way',
  'failed',
] as const

const common = {
  tag: 'Campaigns',
  errors: 'flat',
  method: 'POST',
  params: z.object({ campaign_id: pathId() }),
  body: z.object({ campaign_lead_ids: z.array(id()).min(1).max(MAX_LEADS_AT_ONCE) }),
  response: z.object({
    changed: z.array(id()).describe('The leads of which it is true now, and was not before.'),
    unchanged: z
      .array(z.object({ campaign_lead_id: id(), reason: z.enum(LEAD_REMAINS) }))
      .describe(
        '`not_waiting`: it is over already. `edited`: the campaign was edited since it was stopped. `under_way`: what it was offered when it was stopped has no outcome yet. `failed`: that step failed.',
      ),
  }),
  status: 200,
  refusals: [404],
} as const

export const StopCampaignLeads = contract({
  ...common,
  id: 'stopCampaignLeads',
  path: '/campaigns/{campaign_id}/leads/stop',
  summary: 'Stop leads of a campaign',
  description:
    'Leads that wait for a step become `skipped` and get nothing more from this campaign; what was handed to a provider already still goes out. Where nobody waits any more the campaign is completed. `/leads/resume` takes it back.',
  scope: 'write',
})

export const ResumeCampaignLeads = contract({
  ...common,
  id: 'resumeCampaignLeads',
  path: '/campaigns/{campaign_id}/leads/resume',
  summary: 'Take back that leads were stopped',
  description:
    'Leads stopped by `/leads/stop` wait again for the step that they waited for; one that went out meanwhile is not repeated. Those that answered, were suppressed, or whose campaign was edited since stay as they are. Where the mailbox or account that kept a lead was removed meanwhile, another takes it. A completed campaign goes on.',
  scope: 'send',
  previews: { explainCampaign: {}, forecastCampaign: { limit: 5 } },
})

export const SuppressCampaignLeads = contract({
  ...common,
  id: 'suppressCampaignLeads',
  path: '/campaigns/{campaign_id}/leads/suppress',
  summary: 'Suppress leads of a campaign',
  description:
    'Puts the addresses of these leads on the suppression list, which ends every lead of theirs that waits for a step, in all campaigns. Leads without an address are passed over.',
  response: z.object({
    added: z.int(),
    already_listed: z.int().describe('These keep the reason that they had.'),
    leads_ended: z.int().describe('Leads that waited for a step, in all campaigns.'),
  }),
  scope: 'write',
})
