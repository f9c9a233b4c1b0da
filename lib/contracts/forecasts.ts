import { z } from 'zod'
import { CreateCampaign } from '#lib/contracts/campaigns'
import { contract } from '#lib/contracts/contract'
import { dateTimeInput, id } from '#lib/contracts/fields'
import { LIMITS } from '#lib/domain/forecast'

/** ISO 8601 in UTC. A forecast may end after the year 9999, whose years ISO writes with a sign and six digits. */
const instant = () =>
  z.preprocess(
    (value) => (typeof value === 'number' ? new Date(value).toISOString() : value),
    z.string().describe('ISO 8601 in UTC with milliseconds.'),
  )

const PlannedDay = z.object({
  date: z.string().describe('The local date on which the window opens, in `timezone`.'),
  planned: z.int(),
})

export const Forecast = z
  .object({
    starts_at: instant(),
    timezone: z.string(),
    total_actions: z.int().describe('Actions still to come.'),
    first_at: instant().nullable(),
    finish_at: instant().nullable(),
    limited_by: z.enum(LIMITS).describe('The rule that makes the campaign wait longest.'),
    warnings: z.array(z.object({ code: z.string(), message: z.string() })),
    days: z
      .array(PlannedDay)
      .describe('Actions to come of each window day, without days on which nothing goes out.'),
    actions: z
      .array(
        z.object({
          lead_index: z.int().describe('Place in the dataset, from 0.'),
          step: z.int(),
          at: instant(),
        }),
      )
      .describe('In order of time: `limit` of them from `offset` on.'),
    launch: z
      .object({
        made_at: instant(),
        finish_at: instant().nullable(),
        total_actions: z.int(),
        days: z.array(PlannedDay.extend({ performed: z.int() })),
      })
      .nullable()
      .describe(
        'The forecast that was made when the campaign was launched, day by day against what was performed. Null before the launch.',
      ),
  })
  .meta({ id: 'Forecast' })
export type Forecast = z.output<typeof Forecast>

const query = z.object({
  starts_at: dateTimeInput().optional().describe('When virtual time begins.'),
  offset: z.coerce.number().int().min(0).max(10_000_000).default(0),
  limit: z.coerce.number().int().min(0).max(1_000).default(100).describe('Of `actions`.'),
})

const MAX_ACTIONS = 2_000_000
const common = { tag: 'Campaigns', errors: 'flat', response: Forecast, status: 200, scope: 'read' } as const
const RULES =
  'The same rules that dispatch runs, over virtual time: what comes if nobody replies, bounces or pauses, nothing is refused, and nothing else leaves from the senders meanwhile. '

export const ForecastCampaign = contract({
  id: 'forecastCampaign',
  method: 'GET',
  path: '/campaigns/{campaign_id}/forecast',
  ...common,
  summary: 'Forecast a campaign',
  description: `${RULES}Before the launch it begins at \`starts_at\` (default: now, or the start that the campaign is scheduled for) with the rows of the dataset that a launch would enrol; where no sender is connected yet, it supposes one without limits of its own and warns. After the launch it goes on from where the campaign stands, never before now; a paused one as if it were resumed. \`launch\` holds the forecast of the launch against what happened.`,
  params: z.object({ campaign_id: id() }),
  query,
  refusals: [404],
})

export const ForecastDraft = contract({
  id: 'forecastDraft',
  method: 'POST',
  path: '/campaigns/forecast',
  ...common,
  summary: 'Forecast a campaign that is not saved',
  description: `${RULES}Takes the body of a new campaign with \`leads_count\` in place of a dataset (or with \`dataset_id\` and without \`leads_count\`). Nothing is stored. The jitter after each action is drawn for the campaign's id, so the instants of the saved campaign differ by up to a fifth of the interval.`,
  example: {
    body: {
      leads_count: 500,
      daily_limit: 100,
      timezone: 'Europe/Berlin',
      steps_config: [{ subject: 'Hello {{ first_name }}', message_template: 'A word about {{ company }}?' }],
    },
  },
  query,
  body: CreateCampaign.body
    .partial({ name: true, dataset_id: true })
    .extend({ leads_count: z.int().min(0).max(1_000_000).optional() })
    .superRefine((body, context) => {
      if (body.leads_count === undefined && body.dataset_id === undefined)
        context.addIssue({
          code: 'custom',
          path: ['leads_count'],
          message: 'is required without a dataset_id',
        })
      if ((body.leads_count ?? 0) * body.steps_config.length > MAX_ACTIONS)
        context.addIssue({ code: 'custom', path: ['leads_count'], message: `at most ${MAX_ACTIONS} actions` })
    }),
  rate: 'read',
})
