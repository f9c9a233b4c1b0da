import { z } from 'zod'
import { Campaign } from '#lib/contracts/campaigns/campaign'
import { contract } from '#lib/contracts/contract'
import { dateTimeInput, id, localTime, pathId } from '#lib/contracts/fields'

const params = z.object({ campaign_id: pathId() })
const common = { tag: 'Campaigns', errors: 'legacy' } as const

export const LaunchCampaign = contract({
  id: 'launchCampaign',
  method: 'POST',
  path: '/campaigns/{campaign_id}/launch',
  ...common,
  summary: 'Launch a campaign',
  description:
    'A draft or failed campaign starts now, or at `start_date` if that is in the future (then it is `scheduled`). `start_local` is the same in the campaign’s time zone. If something blocks the launch, the response is 409, its `detail` names every problem, and the campaign does not change.',
  params,
  body: z
    .object({
      start_date: dateTimeInput().nullish(),
      start_local: localTime().optional(),
    })
    .default({}),
  response: Campaign,
  status: 202,
  scope: 'send',
  refusals: [404, 409],
  destructive: true,
  previews: { readLaunchChecks: {}, forecastCampaign: { limit: 5 } },
})

export const PauseCampaign = contract({
  id: 'pauseCampaign',
  method: 'POST',
  path: '/campaigns/{campaign_id}/pause',
  ...common,
  summary: 'Pause a campaign',
  description:
    'No further actions start. Actions already handed to a provider are still sent. A paused campaign returns 200 unchanged, but if it was paused for a disconnected account, it no longer resumes with the account. Draft, completed and failed return 409.',
  // Here an invalid uuid is a validation error, as the contract demands; on other paths it is a 404.
  params: z.object({ campaign_id: id() }),
  response: Campaign,
  status: 200,
  scope: 'write',
  refusals: [404, 409],
})

export const SendNowOnce = contract({
  id: 'sendNowOnce',
  method: 'POST',
  path: '/campaigns/{campaign_id}/send-now',
  ...common,
  summary: 'Send now, just this once',
  description:
    'Opens a running campaign outside its sending hours or days: for the rest of the day in its time zone, for at least an hour, and until its own hours start (`open_until`). Limits and intervals still apply, including sends already made that day. 409 if it is already open, not running, or uses its leads’ time zones (`schedule_timezone`).',
  errors: 'flat',
  params,
  response: Campaign,
  status: 200,
  scope: 'send',
  refusals: [404, 409],
  previews: { explainCampaign: {}, forecastCampaign: { limit: 5 } },
})

export const ResumeCampaign = contract({
  id: 'resumeCampaign',
  method: 'POST',
  path: '/campaigns/{campaign_id}/resume',
  ...common,
  summary: 'Resume a campaign',
  description:
    'The campaign continues with its previous status. Delays count from actual sends. Overdue steps are not sent in a burst. 409 `account_not_connected` if the social account of the campaign was deleted: choose another one first.',
  errors: 'flat',
  params,
  response: Campaign,
  status: 200,
  scope: 'send',
  refusals: [404, 409],
  previews: { explainCampaign: {}, forecastCampaign: { limit: 5 } },
})
