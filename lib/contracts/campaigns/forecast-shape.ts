import { z } from 'zod'
import { LIMITS } from '#lib/domain/forecast/forecast'

/** The forecast counts in milliseconds since the epoch; the answer is ISO 8601. */
const instant = () =>
  z.preprocess(
    (value) => (typeof value === 'number' ? new Date(value).toISOString() : value),
    z.iso.datetime(),
  )

const PlannedDay = z.object({
  date: z.string().describe('The local date on which the window opens, in `timezone`.'),
  planned: z.int(),
})

/** A forecast without its individual actions. */
export const ForecastSummary = z
  .object({
    starts_at: instant(),
    timezone: z.string(),
    total_actions: z.int().describe('Upcoming actions in the next ten years.'),
    first_at: instant().nullable(),
    finish_at: instant().nullable().describe('Null if nothing is upcoming, or it takes longer than that.'),
    limited_by: z.enum(LIMITS).describe('The rule that makes the campaign wait longest.'),
    warnings: z.array(z.object({ code: z.string(), message: z.string() })),
    days: z.array(PlannedDay).describe('Future actions by window day, without empty days.'),
  })
  .meta({ id: 'ForecastSummary' })
export type ForecastSummary = z.output<typeof ForecastSummary>

export const Forecast = z
  .object({
    ...ForecastSummary.shape,
    actions: z
      .array(
        z.object({
          lead_index: z.int().describe('Row index in the dataset, from 0.'),
          step: z.int(),
          at: instant(),
        }),
      )
      .describe('In order of time: `limit` actions starting at `offset`.'),
    next_holidays: z
      .array(z.object({ date: z.string(), name: z.string() }))
      .describe('The next five holidays that fall on send days, in `timezone`. Nothing is sent on them.'),
    launch: z
      .object({
        made_at: instant(),
        finish_at: instant().nullable(),
        total_actions: z.int(),
        days: z.array(PlannedDay.extend({ performed: z.int() })),
      })
      .nullable()
      .describe('The forecast at launch, compared day by day with what happened. Null before launch.'),
  })
  .meta({ id: 'Forecast' })
export type Forecast = z.output<typeof Forecast>
