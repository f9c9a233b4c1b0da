import { z } from 'zod'
import { Forecast } from '#lib/contracts/campaigns/forecast-shape'
import { contract } from '#lib/contracts/contract'
import { pathId } from '#lib/contracts/fields'

export const LaunchCheck = z
  .object({
    code: z.string(),
    message: z.string(),
    step: z
      .int()
      .nullable()
      .describe('The step with the problem, from 1. Null if it affects the whole campaign.'),
    fix: z.string().nullable().describe('Path of the page where you can fix it.'),
  })
  .meta({ id: 'LaunchCheck' })
export type LaunchCheck = z.output<typeof LaunchCheck>

export const ReadLaunchChecks = contract({
  id: 'readLaunchChecks',
  method: 'GET',
  path: '/campaigns/{campaign_id}/launch-checks',
  tag: 'Campaigns',
  summary: 'Check a campaign before its launch',
  description:
    '`blocks` lists everything that prevents a launch. `warns` lists what needs your attention (leads without a value for a merge field, senders below the daily limit, an end more than a year away…). `informs` says what will happen: how many leads, from which senders, until when, and what limits it.',
  params: z.object({ campaign_id: pathId() }),
  response: z.object({
    blocks: z.array(LaunchCheck),
    warns: z.array(LaunchCheck),
    informs: z.array(LaunchCheck),
    leads: z.int().describe('How many leads a launch would enrol.'),
    plan: Forecast.pick({ total_actions: true, first_at: true, finish_at: true, limited_by: true }).describe(
      'The launch forecast if nobody replies.',
    ),
  }),
  status: 200,
  errors: 'flat',
  scope: 'read',
  refusals: [404],
})
