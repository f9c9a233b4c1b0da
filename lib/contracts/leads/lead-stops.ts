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
    changed: z.array(id()).describe('The leads this call changed.'),
    unchanged: z
      .array(z.object({ campaign_lead_id: id(), reason: z.enum(LEAD_REMAINS) }))
      .describe(
        '`not_waiting`: it has already ended. `edited`: the campaign was edited since it was stopped. `under_way`: an action in progress when it was stopped has no outcome yet. `failed`: that step failed. `not_failed`: it did not fail, or has replied or bounced since. `handed_over`: its message was accepted and then returned, so it is not sent again.',
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
    'Waiting leads become `skipped` and get nothing more from this campaign. Actions already handed to a provider are still sent. If no leads are left waiting, the campaign completes. `/leads/resume` undoes this.',
  scope: 'write',
})

export const ResumeCampaignLeads = contract({
  ...common,
  id: 'resumeCampaignLeads',
  path: '/campaigns/{campaign_id}/leads/resume',
  summary: 'Resume stopped leads',
  description:
    'Leads stopped with `/leads/stop` continue waiting for the same step. A step sent in the meantime is not repeated. Leads stay stopped if they replied, were suppressed, or the campaign was edited since. If a lead’s mailbox or account was removed, it gets another. A completed campaign continues.',
  scope: 'send',
  previews: { explainCampaign: {}, forecastCampaign: { limit: 5 } },
})

export const RetryCampaignLeads = contract({
  ...common,
  id: 'retryCampaignLeads',
  path: '/campaigns/{campaign_id}/leads/retry',
  summary: 'Retry failed leads',
  description:
    'Leads whose step failed before it was accepted, for example due to a missing value or a refused message, are due again immediately, within the campaign’s limits and hours. Fix the cause first: the row’s cell, the text or the sender. Bounced leads, and messages that were accepted and later returned, are not sent again. `edited`: the step or the row’s address has changed. A completed campaign continues.',
  scope: 'send',
  previews: { explainCampaign: {}, forecastCampaign: { limit: 5 } },
})

export const SuppressCampaignLeads = contract({
  ...common,
  id: 'suppressCampaignLeads',
  path: '/campaigns/{campaign_id}/leads/suppress',
  summary: 'Suppress leads of a campaign',
  description:
    'Adds these leads’ addresses to the suppression list, or their profiles and phone numbers if they have no address. This ends every matching waiting lead in all campaigns. Leads without any of these are ignored.',
  response: z.object({
    added: z.int(),
    already_listed: z.int().describe('Already listed. They keep their reason.'),
    leads_ended: z.int().describe('Waiting leads that ended, in all campaigns.'),
  }),
  scope: 'write',
})
