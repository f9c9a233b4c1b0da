import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { dateTime, pathId } from '#lib/contracts/fields'

export const EXPLANATION_CODES = [
  'not_running',
  'paused',
  'due_now',
  'nothing_due',
  'window_never_opens',
  'no_sender',
  'sender_failing',
  'texts_held',
  'absent',
  'person_busy',
  'company_busy',
  'resting',
  'colleague_replied',
  'provider_paused',
  'min_interval',
  'window',
  'send_days',
  'holiday',
  'daily_limit',
  'sender_limit',
  'delay',
] as const

export const Explanation = z
  .object({
    code: z.enum(EXPLANATION_CODES).describe('The rule holding it back. `due_now` if there is none.'),
    message: z.string().describe('One sentence, without the time.'),
    until: dateTime()
      .nullable()
      .describe('When it can send again, considering all rules. Null if it waits for an outside event.'),
    params: z
      .record(z.string(), z.union([z.string(), z.number(), z.null()]))
      .describe('The rule’s settings, such as `daily_limit` and the `timezone` its days are counted in.'),
  })
  .meta({ id: 'Explanation' })
export type Explanation = z.output<typeof Explanation>

export const ExplainCampaign = contract({
  id: 'explainCampaign',
  method: 'GET',
  path: '/campaigns/{campaign_id}/explanation',
  tag: 'Campaigns',
  summary: 'Explain why a campaign is not sending',
  description:
    'Returns one rule and one time. If several rules apply in a row, it names the longest. `until` is the end of all of them. `sender_failing`: a mailbox or account, named in `params`, cannot send; it is retried automatically. `texts_held`: this many leads (`params.held`) are waiting for an approved text or a file, and there is nothing else to do. `absent`: this many people (`params.people`) are away or on hold, and nobody else is due before they are back. `person_busy`, `company_busy`, `resting`, `colleague_replied`: this many people (`params.people`) are waiting under the contact policy, for example for the campaign `params.campaign_id` or because `params.colleague` replied. `provider_paused`: this many people (`params.people`) are waiting until their mailbox resumes sending to their provider. `holiday`: the day is closed for `params.holiday`, such as “Tag der Deutschen Einheit”.',
  params: z.object({ campaign_id: pathId() }),
  response: Explanation,
  status: 200,
  errors: 'flat',
  scope: 'read',
  refusals: [404],
})
