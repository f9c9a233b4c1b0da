import { z } from 'zod'
import { CHANNELS } from '#lib/contracts/campaigns/steps'
import { contract } from '#lib/contracts/contract'
import { id, pathId } from '#lib/contracts/fields'

export const Rate = z
  .object({
    numerator: z.int(),
    denominator: z.int(),
    rate: z.number().nullable().describe('numerator / denominator; null if nothing was counted.'),
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
  acceptance_rate: Rate.nullable().describe('Accepted invitations. Null if no step invites.'),
}
const tried = 'Of the mails that were tried: sent, uncertain, or refused for the address.'
const Rates = {
  ...Shared,
  bounce_rate: Rate.describe(tried),
  unsubscribe_rate: Rate.describe('Of leads that were sent an email.'),
}
const StepRates = {
  ...Shared,
  bounce_rate: Rate.nullable().describe(`${tried} Null for a social step.`),
  unsubscribe_rate: Rate.nullable().describe('Null for a social step.'),
}

const Tracked = z
  .object({
    tracked: z.int().describe('Leads that were sent a message of a step that tracks this.'),
    people: z.int().describe('Of these, leads with at least one hit by a person.'),
    machines_only: z.int().describe('Of these, leads with hits by mail proxies and scanners only.'),
    hits: z
      .object({ human: z.int(), proxy: z.int(), scanner: z.int() })
      .describe('All hits, including repeated ones, by class.'),
  })
  .meta({ id: 'Tracked' })

/** Actions of one step, and the endings that followed them. */
const Counts = {
  sent: z.int().describe('Accepted by the provider; of a social step: performed.'),
  uncertain: z.int().describe('May have been sent; counted as sent in every denominator.'),
  failed: z.int(),
  skipped: z.int().describe('The lead was passed over: see `skip_reasons`.'),
  replied: z
    .int()
    .describe('Leads whose reply is credited to this action: the last one on the channel of the reply.'),
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
        'Probability that its true reply rate is the highest of the active variants; null if it is the only one or no longer active.',
      ),
  })
  .meta({ id: 'VariantAnalytics' })

const StepAnalytics = z
  .object({
    step: z.int(),
    channel: z.enum(CHANNELS).nullable(),
    action_type: z.string().nullable(),
    ...Counts,
    waiting: z.int().describe('Leads whose next step it is now, whatever `from` and `to` are.'),
    ...StepRates,
    accepted,
    skip_reasons: z
      .array(z.object({ reason: z.string(), count: z.int() }))
      .describe('Reasons for skips, most frequent first; the counts add up to `skipped`.'),
    variants: z.array(VariantAnalytics),
    comparison: z
      .object({
        leader: z.string(),
        probability: z.number(),
        settled: z.boolean().describe('The leader is the best with at least 95 % probability.'),
        more_sends: z
          .int()
          .nullable()
          .describe(
            'How many more are needed for a decision if the rates stay the same; null: over a million.',
          ),
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
        contacted: z
          .int()
          .describe('At least one action was sent, or may have been, however the lead ended.'),
        opened: z.int().nullable().describe('By a person, of tracked leads; null if no step tracks opens.'),
        clicked: z.int().nullable(),
        invited: z.int().nullable().describe('An invitation was sent to them; null if no step invites.'),
        accepted: z.int().nullable().describe('Of these, those who accepted.'),
        replied: z.int(),
        bounced: z.int(),
        unsubscribed: z.int(),
        failed: z.int(),
        completed: z.int().describe('Had every step, and did not reply.'),
        skipped: z
          .int()
          .describe('Passed over (no address or profile, a repeated or a suppressed one), or stopped.'),
        waiting: z.int().describe('Pending or between two steps.'),
        uncertain: z.int().describe('At least one action with an unknown outcome.'),
      })
      .describe(
        'Each lead counts once in each row; total = waiting + the six endings. With `from` or `to`: leads with an action on these days, and its results; all others wait.',
      ),
    ...Rates,
    tracking: z.object({ opens: Tracked.nullable(), clicks: Tracked.nullable() }),
    not_measured: z.array(z.object({ name: z.string(), reason: z.string() })),
    steps: z.array(StepAnalytics),
    days: z
      .array(z.object({ date: z.iso.date(), ...Counts, reply_rate: Rate }))
      .describe('By window day in `timezone`. Endings count on the day of the action they followed.'),
  })
  .meta({ id: 'CampaignAnalytics' })
export type CampaignAnalytics = z.output<typeof CampaignAnalytics>

const day = (which: string) =>
  z
    .preprocess((value) => (value === '' ? undefined : value), z.iso.date().optional())
    .describe(`${which} that counts, of the campaign’s window days in its zone: 2026-03-02.`)

type Days = { from?: string | undefined; to?: string | undefined }
/** Of the first day that counts, and the last. */
export const areInOrder = ({ from, to }: Days) => !from || !to || from <= to
export const WRONG_ORDER = { path: ['to'], message: 'must not be before `from`' }

export const ReadCampaignAnalytics = contract({
  id: 'readCampaignAnalytics',
  method: 'GET',
  path: '/campaigns/{campaign_id}/analytics',
  tag: 'Campaigns',
  summary: 'Read the analytics of a campaign',
  description:
    'The funnel, each step, each variant and each day. With `from` or `to`, only what was sent on these days, with its later results. Every rate has its counts and a 95 % credible interval (uniform prior). A reply is credited to the last action on the channel it came through (actions with text before others), a bounce or unsubscribe to the last email. Automatic replies do not count as replies.',
  params: z.object({ campaign_id: pathId() }),
  query: z.object({ from: day('The first day'), to: day('The last day') }).refine(areInOrder, WRONG_ORDER),
  response: CampaignAnalytics,
  status: 200,
  errors: 'flat',
  scope: 'read',
  role: 'client',
  refusals: [404],
})
