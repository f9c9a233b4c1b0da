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
  'not_failed',
  'handed_over',
] as const

const common = {
  tag: 'Campaigns',
  errors: 'flat',
  method: 'POST',
  params: z.object({ campaign_id: pathId() }),
  body: z.object({ campaign_lead_ids: z.array(id()).min(1).max(MAX_LEADS_AT_ONCE) }),
  response: z.object({
    changed: z.array(id()).describe('The leads that this call changed.'),
    unchanged: z
      .array(z.object({ campaign_lead_id: id(), reason: z.enum(LEAD_REMAINS) }))
      .describe(
        '`not_waiting`: it has already ended. `edited`: the campaign was edited since it was stopped. `under_way`: an action that was in progress when it was stopped has no outcome yet. `failed`: that step failed. `not_failed`: it did not fail, or has answered or bounced since. `handed_over`: its message was accepted and came back later, so it is not sent twice.',
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
    'Leads that wait for a step become `skipped` and get nothing more from this campaign. Actions that a provider already has are still sent. If no lead waits any more, the campaign is completed. `/leads/resume` undoes this.',
  scope: 'write',
})

export const ResumeCampaignLeads = contract({
  ...common,
  id: 'resumeCampaignLeads',
  path: '/campaigns/{campaign_id}/leads/resume',
  summary: 'Resume stopped leads',
  description:
    'Leads stopped by `/leads/stop` wait again for the step they waited for. A step that was sent in the meantime is not repeated. Leads stay stopped if they answered, were suppressed, or the campaign was edited since. If the mailbox or account of a lead was removed, the lead gets another. A completed campaign continues.',
  scope: 'send',
  previews: { explainCampaign: {}, forecastCampaign: { limit: 5 } },
})

export const RetryCampaignLeads = contract({
  ...common,
  id: 'retryCampaignLeads',
  path: '/campaigns/{campaign_id}/leads/retry',
  summary: 'Retry failed leads',
  description:
    'Leads whose step failed before it was accepted, such as for a missing value or a refused message, wait for that step again and are due at once, within the limits and hours of the campaign. Correct what it failed for first: the cell of the row, the text or the sender. Bounced leads, and messages that were accepted and came back later, are not sent again. `edited`: the step is another one by now, or the row has another address. A completed campaign continues.',
  scope: 'send',
  previews: { explainCampaign: {}, forecastCampaign: { limit: 5 } },
})

export const SuppressCampaignLeads = contract({
  ...common,
  id: 'suppressCampaignLeads',
  path: '/campaigns/{campaign_id}/leads/suppress',
  summary: 'Suppress leads of a campaign',
  description:
    'Adds the addresses of these leads to the suppression list, and for leads without an address their profiles and telephone numbers. This ends every lead with one of these that waits for a step, in all campaigns. Leads without any of them are ignored.',
  response: z.object({
    added: z.int(),
    already_listed: z.int().describe('These keep the reason that they had.'),
    leads_ended: z.int().describe('Leads that waited for a step, in all campaigns.'),
  }),
  scope: 'write',
})
