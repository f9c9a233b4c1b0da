import { z } from 'zod'
import { Rate } from '#lib/contracts/campaigns/campaign-analytics'
import { contract } from '#lib/contracts/contract'
import { dateTime, id, pathId } from '#lib/contracts/fields'
import { MEASURES } from '#lib/domain/analytics/comparison'

const Compared = z
  .object({
    campaign_id: id(),
    name: z.string(),
    launched_at: dateTime().nullable(),
    sent: z.int().describe('Accepted by the provider. For a social step: performed. Follow-ups too.'),
    contacted: z.int().describe('Leads contacted, each counted once.'),
  })
  .meta({ id: 'ComparedCampaign' })

const Side = z.enum(['campaign', 'compare_to'])
const DaySums = z.object({
  sent: z.int(),
  replied: z.int().describe('Replies to messages sent on that day.'),
})

export const CampaignComparison = z
  .object({
    campaign: Compared,
    compare_to: Compared,
    measures: z.array(
      z.object({
        name: z.enum(MEASURES.map(({ name }) => name)),
        campaign: Rate.nullable().describe('Null if not measured.'),
        compare_to: Rate.nullable(),
        verdict: z
          .object({
            difference: z.number().describe('The rate of `campaign` minus that of `compare_to`.'),
            better: Side.describe(
              'Which one probably has the better true rate. For bounces and unsubscribes, lower is better.',
            ),
            probability: z.number().describe('Probability that it is better and not just luckier: 0.5 to 1.'),
            settled: z.boolean().describe('With at least 95 % probability.'),
          })
          .nullable()
          .describe('Null if either has no rate.'),
      }),
    ),
    days: z
      .array(
        z.object({
          day: z.int().describe('Days since the launch of each, which is day 0.'),
          campaign: DaySums.nullable().describe('Null after the last day with a send.'),
          compare_to: DaySums.nullable(),
        }),
      )
      .describe('366 days at most.'),
  })
  .meta({ id: 'CampaignComparison' })
export type CampaignComparison = z.output<typeof CampaignComparison>

export const CompareCampaigns = contract({
  id: 'compareCampaigns',
  method: 'GET',
  path: '/campaigns/{campaign_id}/comparison',
  tag: 'Campaigns',
  summary: 'Compare a campaign with another one',
  description:
    'Both since their launch. Rates are defined as in `/campaigns/{campaign_id}/analytics`: delivered is out of emails attempted, opened and clicked out of those tracked, replied and interested out of leads contacted, unsubscribed out of leads emailed. Interested are leads that replied and whose conversation has the intent `interested` or `meeting`.',
  params: z.object({ campaign_id: pathId() }),
  query: z.object({
    compare_to: id().optional().describe('The id of the other campaign. Default: the one launched last.'),
  }),
  response: CampaignComparison,
  status: 200,
  errors: 'flat',
  scope: 'read',
  refusals: [404, 409],
})
