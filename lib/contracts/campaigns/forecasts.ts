import { z } from 'zod'
import { CreateCampaign, UpdateCampaign } from '#lib/contracts/campaigns/campaigns'
import { Forecast } from '#lib/contracts/campaigns/forecast-shape'
import { contract } from '#lib/contracts/contract'
import { dateTimeInput, pathId, wholeNumber } from '#lib/contracts/fields'

const query = z.object({
  starts_at: dateTimeInput().optional().describe('When virtual time begins.'),
  offset: wholeNumber(0, 10_000_000).default(0),
  limit: wholeNumber(0, 1_000).default(100).describe('Of `actions`.'),
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
  params: z.object({ campaign_id: pathId() }),
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

export const ForecastEdit = contract({
  id: 'forecastEdit',
  method: 'POST',
  path: '/campaigns/{campaign_id}/forecast',
  ...common,
  summary: 'Forecast a campaign with another schedule',
  description: `${RULES}What saving these fields would make of the campaign, launched or not; what is left out stays. Nothing is stored.`,
  params: z.object({ campaign_id: pathId() }),
  query,
  body: UpdateCampaign.body.pick({
    sending_window_start: true,
    sending_window_end: true,
    timezone: true,
    send_days: true,
    daily_limit: true,
    min_interval_seconds: true,
    alias_ids: true,
  }),
  refusals: [404],
  rate: 'read',
})
