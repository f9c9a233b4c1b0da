import { z } from 'zod'
import { StepsConfig } from '#lib/contracts/campaigns/steps'
import { dateTimeInput, emptyOrText, id, text, timeOfDay, timezone } from '#lib/contracts/fields'
import { SCHEDULE_TIMEZONES, SEND_DAYS } from '#lib/domain/calendar/schedule'
import { MAX_WINDOWS, windowProblems } from '#lib/domain/calendar/sending-windows'
import { CAMPAIGN_TYPES } from '#lib/domain/campaigns/campaign-type'
import { SENDER_ROTATIONS } from '#lib/domain/campaigns/sender-rotation'
import { SKIP_EMAILS } from '#lib/domain/campaigns/skip-emails'
import { REVIEW_POLICIES } from '#lib/domain/personalize/review'

const DAY_NAMES = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

function sendDay(value: unknown): unknown {
  const name = String(value).trim().toLowerCase()
  if (/^[1-7]$/.test(name)) return SEND_DAYS[Number(name) - 1]
  const index = DAY_NAMES.findIndex((day) => day === name || day.slice(0, 3) === name)
  return index < 0 ? value : SEND_DAYS[index]
}

/** In: names in any case, full or short, and 1–7 (1 = Monday). Out: mon … sun, each once and in week order. */
const sendDays = z
  .array(z.preprocess(sendDay, z.enum(SEND_DAYS)))
  .min(1)
  .max(50)
  .transform((days) => SEND_DAYS.filter((day) => days.includes(day)))

/** Several windows in one day: each ends after its start and before the next one starts. */
const sendingWindows = z
  .array(z.object({ start: timeOfDay(), end: timeOfDay() }))
  .min(1)
  .max(MAX_WINDOWS)
  .superRefine((windows, context) => {
    for (const { index, field, message } of windowProblems(windows))
      context.addIssue({ code: 'custom', path: [index, field], message })
  })
  .nullable()
  .describe(
    'Several windows per day, in order, such as 09:00–11:30 and 14:00–17:00. Overrides `sending_window_start` with the first start and `sending_window_end` with the last end. Null, or omitted when one of those is set: one window.',
  )

const code = (form: RegExp, error: string) =>
  z
    .string()
    .max(10)
    .transform((value) => value.trim().toUpperCase())
    .pipe(z.string().regex(form, error))

/** The fields of a campaign that a person sets. */
export const campaignFields = {
  dataset_id: id(),
  name: text(1, 255),
  description: emptyOrText(10_000).nullable(),
  type: z.enum(CAMPAIGN_TYPES),
  launch_type: z.enum(['immediate', 'scheduled']),
  start_date: dateTimeInput().nullable(),
  daily_limit: z.int().min(1).max(10_000),
  sending_window_start: timeOfDay(),
  sending_window_end: timeOfDay(),
  sending_windows: sendingWindows,
  holiday_country: code(/^[A-Z]{2}$/, 'must be a country code of two letters, such as DE').nullable(),
  holiday_region: code(/^[A-Z0-9-]{1,10}$/, 'must be the code of a state or region, such as BY').nullable(),
  min_interval_seconds: z.int().min(0).max(86_400),
  timezone: timezone(),
  schedule_timezone: z.enum(SCHEDULE_TIMEZONES),
  send_days: sendDays,
  steps_config: StepsConfig,
  alias_ids: z.array(id()).max(1_000).nullable(),
  connected_account_id: id().nullable(),
  sender_rotation: z.enum(SENDER_ROTATIONS),
  match_providers: z.boolean(),
  system_prompt: emptyOrText(20_000).nullable(),
  auto_variant_weights: z.boolean(),
  unreviewed_launch_policy: z.enum(REVIEW_POLICIES),
  stop_on_company_reply: z.boolean(),
  skip_emails: z.enum(SKIP_EMAILS),
  contact_policy_override: text(3, 500).nullable(),
  bcc_address: z.email().max(254).toLowerCase().nullable(),
}
