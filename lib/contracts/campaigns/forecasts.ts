import { z } from 'zod'
import { CreateCampaign, UpdateCampaign } from '#lib/contracts/campaigns/campaigns'
import { Forecast } from '#lib/contracts/campaigns/forecast-shape'
import { contract } from '#lib/contracts/contract'
import { dateTimeInput, pathId, wholeNumber } from '#lib/contracts/fields'

const query = z.object({
  starts_at: dateTimeInput().optional().describe('When the simulation starts.'),
  offset: wholeNumber(0, 10_000_000).default(0),
  limit: wholeNumber(0, 1_000).default(100).describe('Of `actions`.'),
})

const MAX_ACTIONS = 2_000_000
const common = { tag: 'Campaigns', errors: 'flat', response: Forecast, status: 200, scope: 'read' } as const
const RULES =
  'Simulates sending with the real rules. It assumes nobody replies, bounces or pauses, nothing is refused, and the senders send nothing else. It looks ten years ahead from the first action, up to the year 9999. If there is more after that, `finish_at` is null and a warning (`finishes_after_a_year`) says so. '

export const ForecastCampaign = contract({
  id: 'forecastCampaign',
  method: 'GET',
  path: '/campaigns/{campaign_id}/forecast',
  ...common,
  summary: 'Forecast a campaign',
  description: `${RULES}Before launch, it starts at \`starts_at\` (default: now, or the scheduled start) with the rows a launch would enrol. If no sender is connected, it assumes one without limits and warns. After launch, it continues from the current state. A paused campaign is treated as resumed now. \`launch\` compares the forecast at launch with what happened.`,
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
  description: `${RULES}Takes the body of a new campaign with \`leads_count\` instead of a dataset (or \`dataset_id\` without \`leads_count\`). Nothing is stored. The jitter after each action depends on the campaign's id, so the times of the saved campaign differ by up to a fifth of the interval.`,
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
  description: `${RULES}Forecasts the campaign, launched or not, as if these fields were saved. Omitted fields keep their values. Nothing is stored.`,
  params: z.object({ campaign_id: pathId() }),
  query,
  body: UpdateCampaign.body
    .pick({
      sending_window_start: true,
      sending_window_end: true,
      sending_windows: true,
      holiday_country: true,
      holiday_region: true,
      timezone: true,
      schedule_timezone: true,
      send_days: true,
      daily_limit: true,
      min_interval_seconds: true,
      alias_ids: true,
      sender_rotation: true,
      match_providers: true,
    })
    .default({}),
  refusals: [404],
  rate: 'read',
})
