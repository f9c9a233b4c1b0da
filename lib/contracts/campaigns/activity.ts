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
        'For a send: `sent`, `failed` or `uncertain`. Otherwise the decision, such as `replied`, `bounced`, `paused` or `edited`.',
      ),
    campaign_lead_id: id().nullable().describe('Null for events about the whole campaign.'),
    name: z.string().nullable().describe('The person: name, otherwise address, otherwise profile.'),
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
  summary: 'Read a campaign’s activity',
  description:
    'Sends, replies, bounces and changes to the campaign, newest first. `next_after` is the cursor for the next page. Null on the last page.',
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
