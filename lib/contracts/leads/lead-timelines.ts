import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { dateTime, pathId } from '#lib/contracts/fields'

export const TimelineEvent = z
  .object({
    at: dateTime(),
    kind: z
      .string()
      .describe(
        'enrolled (where leads keep their own clocks, `detail.timezone` is the lead’s, and `detail.timezone_source` the column that says so), sending, sent, retry, failed, uncertain, skipped; held (its AI text is not approved, or the lead changed after it was); opened, clicked (`detail.class` says by what: human, proxy or scanner; the first of each, with `detail.hits`); replied, bounced, unsubscribed, completed and other ends; launched, paused, resumed, edited of the campaign meanwhile; planned for what is still to come, and will_be_skipped for a step to come that does not reach the lead, for want of an address or a profile.',
      ),
    step: z.int().nullable(),
    channel: z.string().nullable(),
    reason: z.string().nullable().describe('Why, in words; null where the kind says it all.'),
    detail: z.record(z.string(), z.json()),
  })
  .meta({ id: 'TimelineEvent' })
export type TimelineEvent = z.output<typeof TimelineEvent>

export const ReadLeadTimeline = contract({
  id: 'readLeadTimeline',
  method: 'GET',
  path: '/campaigns/{campaign_id}/leads/{campaign_lead_id}/timeline',
  tag: 'Campaigns',
  summary: 'Read the timeline of a lead',
  description:
    'Every decision about one lead and its reason, oldest first, followed by the planned steps with the times of the forecast (for a paused campaign, as if it were resumed now).',
  params: z.object({ campaign_id: pathId(), campaign_lead_id: pathId() }),
  response: z.object({ events: z.array(TimelineEvent) }),
  status: 200,
  errors: 'flat',
  scope: 'read',
  refusals: [404],
})
