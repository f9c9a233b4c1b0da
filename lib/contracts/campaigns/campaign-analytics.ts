import { z } from 'zod'
import { CHANNELS } from '#lib/contracts/campaigns/steps'
import { contract } from '#lib/contracts/contract'
import { id, pathId } from '#lib/contracts/fields'

const Rate = z
  .object({
    numerator: z.int(),
    denominator: z.int(),
    rate: z.number().nullable().describe('numerator / denominator; null while nothing was counted.'),
    low: z.number().nullable().describe('With `high`, the 95 % credible interval of the true rate.'),
    high: z.number().nullable(),
  })
  .meta({ id: 'Rate' })

const Shared = {
  reply_rate: Rate,
  open_rate: Rate.nullable().describe(
    'People who opened (or clicked), of what was sent by steps that track opens. Null where none does.',
  ),
  click_rate: Rate.nullable().describe('The same for clicks, of what was sent by steps that track clicks.'),
  acceptance_rate: Rate.nullable().describe(
    'Invitations that were accepted after they left. Null where nobody is invited.',
  ),
}
const tried = 'Of the mails that were tried: sent, uncertain, or refused for the address.'
const Rates = {
  ...Shared,
  bounce_rate: Rate.describe(tried),
  unsubscribe_rate: Rate.describe('Of those sent a mail.'),
}
const StepRates = {
  ...Shared,
  bounce_rate: Rate.nullable().describe(`${tried} Null for a social step.`),
  unsubscribe_rate: Rate.nullable().describe('Null for a social step.'),
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
  sent: z.int().describe('Accepted by the provider; of a social step: performed.'),
  uncertain: z.int().describe('May have been sent; counted as sent in every denominator.'),
  failed: z.int(),
  skipped: z.int().describe('The step was not for the lead: see `skip_reasons`.'),
  replied: z
    .int()
    .describe(
      'Leads whose reply is credited to this action: the last one by the channel that the reply came by.',
    ),
  bounced: z.int(),
  unsubscribed: z.int(),
}

const accepted = z
  .int()
  .nullable()
  .describe('Of a step that invites: invitations that were accepted; else null.')

const VariantAnalytics = z
  .object({
    label: z.string(),
    weight: z.int().nullable().describe('Null: no longer among the variants of the step.'),
    ...Counts,
    ...StepRates,
    accepted,
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
    ...StepRates,
    accepted,
    skip_reasons: z
      .array(z.object({ reason: z.string(), count: z.int() }))
      .describe('Why it was passed over, the commonest first; the counts sum up to `skipped`.'),
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
    from: z.iso.date().nullable().describe('The window day from which it counts; null: from the first.'),
    to: z.iso.date().nullable().describe('The last window day that counts; null: to the newest.'),
    leads: z
      .object({
        total: z.int(),
        contacted: z.int().describe('At least one action left, or may have.'),
        opened: z
          .int()
          .nullable()
          .describe('By a person, of those tracked; null where no step tracks opens.'),
        clicked: z.int().nullable(),
        invited: z.int().nullable().describe('An invitation left for them; null where no step invites.'),
        accepted: z.int().nullable().describe('Of these, those who accepted.'),
        replied: z.int(),
        bounced: z.int(),
        unsubscribed: z.int(),
        failed: z.int(),
        completed: z.int().describe('Had every step, and did not answer.'),
        skipped: z.int().describe('Not contacted: no address or profile, a repeated or a suppressed one.'),
        waiting: z.int().describe('Pending or between two steps.'),
        uncertain: z.int().describe('At least one action of which it is not known whether it left.'),
      })
      .describe(
        'Each lead once in each row; total = waiting + the six endings. With `from` or `to`: leads for whom anything was tried on these days, and what came of that; all others wait.',
      ),
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

const day = (which: string) =>
  z
    .preprocess((value) => (value === '' ? undefined : value), z.iso.date().optional())
    .describe(`${which} that counts, of the campaign’s window days in its zone: 2026-03-02.`)

export const ReadCampaignAnalytics = contract({
  id: 'readCampaignAnalytics',
  method: 'GET',
  path: '/campaigns/{campaign_id}/analytics',
  tag: 'Campaigns',
  summary: 'Read the analytics of a campaign',
  description:
    'The funnel, each step, each variant and each day; with `from` or `to` only of what left on these days, with what came of it whenever that was. Every rate comes with its counts and a 95 % credible interval (uniform prior). A reply is credited to the last action before it by the channel that it came by (words before what says nothing), a bounce or unsubscribe to the last mail. Automatic replies are not replies.',
  params: z.object({ campaign_id: pathId() }),
  query: z.object({ from: day('The first day'), to: day('The last day') }),
  response: CampaignAnalytics,
  status: 200,
  errors: 'flat',
  scope: 'read',
  refusals: [404],
})
