import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { dateTime, pathId } from '#lib/contracts/fields'

export const TimelineEvent = z
  .object({
    at: dateTime(),
    kind: z
      .string()
      .describe(
        'enrolled (if leads use their own time zones, `detail.timezone` is the lead’s and `detail.timezone_source` the column it came from), sending, sent, retry, failed, uncertain, skipped; held (its AI text is not approved, or the lead changed after approval); opened, clicked (`detail.class`: human, proxy or scanner; the first of each, with `detail.hits`); replied, bounced, unsubscribed, completed and other ends; launched, paused, resumed, edited of the campaign in that time; planned for upcoming steps, and will_be_skipped for upcoming steps that cannot reach the lead because it has no address or profile.',
      ),
    step: z.int().nullable(),
    channel: z.string().nullable(),
    reason: z.string().nullable().describe('Why, in words. Null if the kind says it all.'),
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
    'Every decision about one lead and its reason, oldest first, followed by planned steps with forecast times (for a paused campaign, as if resumed now).',
  params: z.object({ campaign_id: pathId(), campaign_lead_id: pathId() }),
  response: z.object({ events: z.array(TimelineEvent) }),
  status: 200,
  errors: 'flat',
  scope: 'read',
  refusals: [404],
})
