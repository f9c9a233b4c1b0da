import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { id } from '#lib/contracts/fields'
import { CHANNELS } from '#lib/contracts/steps'

const Rate = z
  .object({
    numerator: z.int(),
    denominator: z.int(),
    rate: z.number().nullable().describe('numerator / denominator; null while nothing was counted.'),
    low: z.number().nullable().describe('With `high`, the 95 % credible interval of the true rate.'),
    high: z.number().nullable(),
  })
  .meta({ id: 'Rate' })

const Rates = {
  reply_rate: Rate,
  bounce_rate: Rate.describe('Of what was tried: sent, uncertain, or refused for the address.'),
  unsubscribe_rate: Rate,
  open_rate: Rate.nullable().describe(
    'People who opened (or clicked), of what was sent by steps that track opens. Null where none does.',
  ),
  click_rate: Rate.nullable().describe('The same for clicks, of what was sent by steps that track clicks.'),
}

const Tracked = z
  .object({
    tracked: z.int().describe('Leads that were sent a message of a step that tracks this.'),
    people: z.int().describe('Of these, leads with a hit that nothing speaks against.'),
    machines_only: z.int().describe('Of these, leads with hits of mail proxies and scanners and no other.'),
    hits: z
      .object({ human: z.int(), proxy: z.int(), scanner: z.int() })
      .describe('Every hit, repeated ones too, by what made it.'),
  })
  .meta({ id: 'Tracked' })

/** Actions of one step, and the endings that followed them. */
const Counts = {
  sent: z.int().describe('Accepted by the provider.'),
  uncertain: z.int().describe('May have left; counted as sent in every denominator.'),
  failed: z.int(),
  skipped: z.int().describe('The condition of the step did not hold.'),
  replied: z.int().describe('Leads whose last action before their reply was this one.'),
  bounced: z.int(),
  unsubscribed: z.int(),
}

const VariantAnalytics = z
  .object({
    label: z.string(),
    weight: z.int().nullable().describe('Null: no longer among the variants of the step.'),
    ...Counts,
    ...Rates,
    probability_best: z
      .number()
      .nullable()
      .describe(
        'That its true reply rate is the highest of the variants in use; null where it is alone or gone.',
      ),
  })
  .meta({ id: 'VariantAnalytics' })

const StepAnalytics = z
  .object({
    step: z.int(),
    channel: z.enum(CHANNELS).nullable(),
    action_type: z.string().nullable(),
    ...Counts,
    ...Rates,
    variants: z.array(VariantAnalytics),
    comparison: z
      .object({
        leader: z.string(),
        probability: z.number(),
        settled: z.boolean().describe('The leader is the best with at least 95 % probability.'),
        more_sends: z
          .int()
          .nullable()
          .describe('How many more would settle it if the rates stay as they are; null: over a million.'),
      })
      .nullable()
      .describe('Null with fewer than two variants in use.'),
  })
  .meta({ id: 'StepAnalytics' })

export const CampaignAnalytics = z
  .object({
    campaign_id: id(),
    timezone: z.string(),
    leads: z
      .object({
        total: z.int(),
        contacted: z.int().describe('At least one action left, or may have.'),
        opened: z
          .int()
          .nullable()
          .describe('By a person, of those tracked; null where no step tracks opens.'),
        clicked: z.int().nullable(),
        replied: z.int(),
        bounced: z.int(),
        unsubscribed: z.int(),
        failed: z.int(),
        completed: z.int().describe('Had every step, and did not answer.'),
        skipped: z.int().describe('Not contacted: no address, a repeated or a suppressed one.'),
        waiting: z.int().describe('Pending or between two steps.'),
        uncertain: z.int().describe('At least one action of which it is not known whether it left.'),
      })
      .describe('Each lead once in each row; total = waiting + the six endings.'),
    ...Rates,
    tracking: z.object({ opens: Tracked.nullable(), clicks: Tracked.nullable() }),
    not_measured: z.array(z.object({ name: z.string(), reason: z.string() })),
    steps: z.array(StepAnalytics),
    days: z
      .array(z.object({ date: z.iso.date(), ...Counts, reply_rate: Rate }))
      .describe('By window day in `timezone`; endings stand on the day of the action that they followed.'),
  })
  .meta({ id: 'CampaignAnalytics' })
export type CampaignAnalytics = z.output<typeof CampaignAnalytics>

export const ReadCampaignAnalytics = contract({
  id: 'readCampaignAnalytics',
  method: 'GET',
  path: '/campaigns/{campaign_id}/analytics',
  tag: 'Campaigns',
  summary: 'Read the analytics of a campaign',
  description:
    'The funnel, each step, each variant and each day. Every rate comes with its counts and a 95 % credible interval (uniform prior). A reply, bounce or unsubscribe is credited to the last action before it. Automatic replies are not replies.',
  params: z.object({ campaign_id: id() }),
  response: CampaignAnalytics,
  status: 200,
  errors: 'flat',
  scope: 'read',
  refusals: [404],
})
