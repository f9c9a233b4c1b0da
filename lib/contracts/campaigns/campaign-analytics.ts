import { z } from 'zod'
import { CHANNELS } from '#lib/contracts/campaigns/steps'
import { contract } from '#lib/contracts/contract'
import { id, pathId } from '#lib/contracts/fields'

export const Rate = z
  .object({
    numerator: z.int(),
    denominator: z.int(),
    rate: z.number().nullable().describe('numerator / denominator. Null if nothing was counted.'),
    low: z.number().nullable().describe('With `high`, the 95 % credible interval of the true rate.'),
    high: z.number().nullable(),
  })
  .meta({ id: 'Rate' })

const Shared = {
  reply_rate: Rate,
  open_rate: Rate.nullable().describe(
    'People who opened (or clicked), out of sends from steps that track opens. Null if no step does.',
  ),
  click_rate: Rate.nullable().describe('The same for clicks, out of sends from steps that track clicks.'),
  acceptance_rate: Rate.nullable().describe('Accepted invitations. Null if no step invites.'),
}
const tried = 'Out of emails attempted: sent, uncertain, or refused because of the address.'
const Rates = {
  ...Shared,
  bounce_rate: Rate.describe(tried),
  unsubscribe_rate: Rate.describe('Out of leads that were sent an email.'),
}
const StepRates = {
  ...Shared,
  bounce_rate: Rate.nullable().describe(`${tried} Null for a social step.`),
  unsubscribe_rate: Rate.nullable().describe('Null for a social step.'),
}

const Tracked = z
  .object({
    tracked: z.int().describe('Leads sent a message from a step that tracks this.'),
    people: z.int().describe('Of these, leads with at least one hit by a person.'),
    machines_only: z.int().describe('Of these, leads with hits by mail proxies and scanners only.'),
    hits: z
      .object({ human: z.int(), proxy: z.int(), scanner: z.int() })
      .describe('All hits by class, including repeats.'),
  })
  .meta({ id: 'Tracked' })

/** Actions of one step, and the outcomes that followed them. */
const Counts = {
  sent: z.int().describe('Accepted by the provider. For a social step: performed.'),
  uncertain: z.int().describe('May have been sent. Counted as sent in every denominator.'),
  failed: z.int(),
  skipped: z.int().describe('The lead was skipped. See `skip_reasons`.'),
  replied: z
    .int()
    .describe('Leads whose reply is credited to this action, the last one on the reply’s channel.'),
  bounced: z.int(),
  unsubscribed: z.int(),
}

const accepted = z.int().nullable().describe('For invitation steps: accepted invitations. Otherwise null.')

const VariantAnalytics = z
  .object({
    label: z.string(),
    weight: z.int().nullable().describe('Null if it is no longer one of the step’s variants.'),
    ...Counts,
    ...StepRates,
    accepted,
    probability_best: z
      .number()
      .nullable()
      .describe(
        'Probability that its true reply rate is the highest of the active variants. Null if it is the only one or no longer active.',
      ),
  })
  .meta({ id: 'VariantAnalytics' })

const StepAnalytics = z
  .object({
    step: z.int(),
    channel: z.enum(CHANNELS).nullable(),
    action_type: z.string().nullable(),
    ...Counts,
    waiting: z
      .int()
      .describe('Leads for whom this is the next step right now, regardless of `from` and `to`.'),
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
        settled: z.boolean().describe('True if the leader is best with at least 95 % probability.'),
        more_sends: z
          .int()
          .nullable()
          .describe('How many more sends would settle it at current rates. Null if over a million.'),
      })
      .nullable()
      .describe('Null with fewer than two variants in use.'),
  })
  .meta({ id: 'StepAnalytics' })

export const CampaignAnalytics = z
  .object({
    campaign_id: id(),
    timezone: z.string(),
    from: z.iso.date().nullable().describe('The first window day counted. Null: from the start.'),
    to: z.iso.date().nullable().describe('The last window day counted. Null: up to the newest.'),
    leads: z
      .object({
        total: z.int(),
        contacted: z.int().describe('At least one action was or may have been sent, however the lead ended.'),
        opened: z
          .int()
          .nullable()
          .describe('By a person, among tracked leads. Null if no step tracks opens.'),
        clicked: z.int().nullable(),
        invited: z.int().nullable().describe('Leads sent an invitation. Null if no step invites.'),
        accepted: z.int().nullable().describe('Of these, leads who accepted.'),
        replied: z.int(),
        bounced: z.int(),
        unsubscribed: z.int(),
        failed: z.int(),
        completed: z.int().describe('Went through every step without replying.'),
        skipped: z.int().describe('Skipped (no address or profile, duplicate or suppressed) or stopped.'),
        waiting: z.int().describe('Pending or between steps.'),
        uncertain: z.int().describe('At least one action with an unknown outcome.'),
      })
      .describe(
        'Each lead counts once in each row; total = waiting + the six endings. With `from` or `to`: leads with an action on these days and its results. All others count as waiting.',
      ),
    ...Rates,
    tracking: z.object({ opens: Tracked.nullable(), clicks: Tracked.nullable() }),
    not_measured: z.array(z.object({ name: z.string(), reason: z.string() })),
    steps: z.array(StepAnalytics),
    days: z
      .array(z.object({ date: z.iso.date(), ...Counts, reply_rate: Rate }))
      .describe('By window day in `timezone`. Outcomes count on the day of the action they followed.'),
  })
  .meta({ id: 'CampaignAnalytics' })
export type CampaignAnalytics = z.output<typeof CampaignAnalytics>

const day = (which: string) =>
  z
    .preprocess((value) => (value === '' ? undefined : value), z.iso.date().optional())
    .describe(`${which} to include, as a window day in the campaign’s zone: 2026-03-02.`)

type Days = { from?: string | undefined; to?: string | undefined }
/** Whether the first day is not after the last. */
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
