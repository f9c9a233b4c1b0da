import { type Forecast, forecast } from '#lib/domain/forecast/forecast'
import { runToEnd } from '#lib/domain/forecast/with-pauses'
import type { Sender } from '#lib/domain/sending/sender-limits'

/** The example campaign on the sign-in page. */
export const EXAMPLE = { leads: 240, emails: 3, mailboxes: 2, daily_limit: 40, timezone: 'Europe/Berlin' }

/**
 * Forecasts a fictional campaign with the normal code, as if it was launched at `now` (epoch milliseconds).
 */
export function exampleForecast(now: number): Forecast {
  return runToEnd(
    forecast({
      campaign: {
        campaign_id: 'example',
        timezone: EXAMPLE.timezone,
        sending_window_start: '09:00:00',
        sending_window_end: '17:00:00',
        send_days: ['mon', 'tue', 'wed', 'thu', 'fri'],
        daily_limit: 100,
        min_interval_seconds: 60,
        steps_config: [0, 3, 5].map((delay_days) => ({ delay_days, channel: 'email', action_type: 'email' })),
        launched_at: now,
      },
      pace: { last_action: null, window_day: null, window_day_count: 0 },
      senders: Array.from({ length: EXAMPLE.mailboxes }, (_, index) =>
        newMailbox(`mailbox ${index + 1}`, now),
      ),
      owner_timezone: EXAMPLE.timezone,
      follow_ups: [],
      new_leads: Array.from({ length: EXAMPLE.leads }, (_, index) => index),
      starts_at: now,
    }),
  )
}

const newMailbox = (sender_id: string, now: number): Sender => ({
  sender_id,
  channel: 'email',
  daily_limit: EXAMPLE.daily_limit,
  min_interval_seconds: 60,
  ramp_up: { start: 10, increase_per_day: 4 },
  ramp_up_started_at: now,
  action_limits: {},
  last_action_at: null,
  used: [],
})
