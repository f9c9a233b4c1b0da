import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { cursor, dateTime, id, pathId, wholeNumber } from '#lib/contracts/fields'

const ActivityEvent = z
  .object({
    event_id: id(),
    at: dateTime(),
    kind: z
      .string()
      .describe(
        'Of a send: `sent`, `failed` or `uncertain`. Else what the decision log says, such as `replied`, `bounced`, `paused` or `edited`.',
      ),
    campaign_lead_id: id().nullable().describe('Null for what concerns the campaign as a whole.'),
    name: z.string().nullable().describe('Whom it concerns: name, else address, else profile.'),
    step: z.int().nullable(),
    channel: z.string().nullable(),
    action_type: z.string().nullable(),
    reason: z.string().nullable(),
  })
  .meta({ id: 'ActivityEvent' })
export type ActivityEvent = z.output<typeof ActivityEvent>

export const ReadCampaignActivity = contract({
  id: 'readCampaignActivity',
  method: 'GET',
  path: '/campaigns/{campaign_id}/activity',
  tag: 'Campaigns',
  summary: 'Read what happened in a campaign',
  description:
    'Sends, replies, bounces, and what people did with the campaign, newest first. `next_after` is the cursor of the next page; null on the last one.',
  params: z.object({ campaign_id: pathId() }),
  query: z.object({
    after: cursor().optional(),
    limit: wholeNumber(1, 100).default(20),
  }),
  response: z.object({ items: z.array(ActivityEvent), next_after: z.string().nullable() }),
  status: 200,
  errors: 'flat',
  scope: 'read',
  refusals: [404],
})
