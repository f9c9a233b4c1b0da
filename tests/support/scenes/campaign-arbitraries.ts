import fc from 'fast-check'
import { SEND_DAYS } from '#lib/domain/calendar/schedule'
import { STEP_CONDITIONS, type StepRule } from '#lib/domain/campaigns/step-conditions'
import { RECIPIENT_PROVIDERS } from '#lib/domain/domains/recipient-provider'
import type { CampaignRules } from '#lib/domain/sending/dispatch-state'
import { FRESH_PACE } from '#lib/domain/sending/pacing'
import { matchedSenders } from '#lib/domain/sending/provider-matching'
import type { Sender } from '#lib/domain/sending/sender-limits'
import type { Paper } from '#tests/support/doubles/paper-dispatcher'
import { FROM, NASTY_ZONES, UNTIL } from '#tests/support/files/zones'

/** A campaign that may send at any time, one email a minute. */
export const ALWAYS_OPEN: CampaignRules = {
  campaign_id: '0197c1de-5a3b-7c43-9f00-2d6d2f1c5a11',
  timezone: 'UTC',
  sending_window_start: '00:00:00',
  sending_window_end: '00:00:00',
  send_days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
  daily_limit: 10_000,
  min_interval_seconds: 60,
  steps_config: [{ channel: 'email', action_type: 'email', delay_days: 0 }],
  launched_at: Date.UTC(2026, 5, 1, 9),
}

const minutes = fc.integer({ min: 0, max: 1439 })
const clock = (minute: number) => new Date(minute * 60_000).toISOString().slice(11, 19)

const step: fc.Arbitrary<StepRule> = fc
  .record({
    delay_days: fc.constantFrom(0, 0, 1, 2, 5),
    action_type: fc.constantFrom('email', 'email', 'email', 'message', 'connection_request'),
    condition: fc.constantFrom('always' as const, 'always' as const, 'always' as const, ...STEP_CONDITIONS),
    track_clicks: fc.boolean(),
    track_opens: fc.boolean(),
  })
  .map((rule) => ({ ...rule, channel: rule.action_type === 'email' ? 'email' : 'social' }))

const mailbox = fc.record({
  daily_limit: fc.constantFrom(null, 1, 2, 3, 5),
  min_interval_seconds: fc.constantFrom(0, 0, 90, 7_200),
  ramp_up: fc.option(fc.record({ start: fc.constantFrom(1, 2), increase_per_day: fc.constantFrom(0, 1) })),
})

/** A few leads, senders and steps, so that every queue often runs empty; any zone, any window, awkward limits. */
export const anyPaper: fc.Arbitrary<Paper & { starts_at: number }> = fc
  .record({
    timezone: fc.constantFrom(...NASTY_ZONES),
    owner_timezone: fc.constantFrom(...NASTY_ZONES),
    start: minutes,
    end: minutes,
    send_days: fc.subarray([...SEND_DAYS], { minLength: 1 }),
    daily_limit: fc.constantFrom(1, 2, 4, 50),
    min_interval_seconds: fc.constantFrom(0, 0, 60, 5_000, 50_000),
    steps_config: fc.array(step, { minLength: 1, maxLength: 4 }),
    mailboxes: fc.array(mailbox, { minLength: 1, maxLength: 3 }),
    caps: fc.record({ day: fc.constantFrom(null, 1, 2), week: fc.constantFrom(null, 2, 3) }),
    leads: fc.integer({ min: 1, max: 9 }),
    schedule_timezone: fc.constantFrom('campaign' as const, 'lead' as const),
    timezones: fc.array(fc.option(fc.constantFrom(...NASTY_ZONES)), { minLength: 9, maxLength: 9 }),
    // For each mailbox, the members that may use it; null: members are not rotated.
    members: fc.option(fc.array(fc.subarray(['ana', 'ben', 'carl']), { minLength: 3, maxLength: 3 })),
    // The mail providers of the mailboxes, then of the leads; null: providers are not matched.
    providers: fc.option(
      fc.record({
        senders: fc.array(fc.constantFrom('google' as const, 'microsoft' as const, null), {
          minLength: 3,
          maxLength: 3,
        }),
        leads: fc.array(fc.constantFrom(...RECIPIENT_PROVIDERS), { minLength: 9, maxLength: 9 }),
      }),
    ),
    starts_at: fc.integer({ min: FROM, max: UNTIL }),
  })
  .map((any) => {
    const campaign: CampaignRules = {
      campaign_id: '0197c1de-5a3b-7c43-9f00-2d6d2f1c5a11',
      timezone: any.timezone,
      schedule_timezone: any.schedule_timezone,
      sending_window_start: clock(any.start),
      sending_window_end: clock(any.end),
      send_days: any.send_days,
      daily_limit: any.daily_limit,
      min_interval_seconds: any.min_interval_seconds,
      steps_config: any.steps_config,
      launched_at: any.starts_at,
    }
    const senders: Sender[] = any.mailboxes.map((one, index) => ({
      ...aSender(`mailbox-${index}`),
      ...one,
      ramp_up_started_at: any.starts_at,
    }))
    const account: Sender = {
      ...aSender('account'),
      channel: 'social',
      action_limits: { connection_request: any.caps },
    }
    return {
      campaign,
      pace: FRESH_PACE,
      senders: [...senders, account],
      ...(any.members && {
        rotation: {
          members: new Map(any.members.map((given, index) => [`mailbox-${index}`, given])),
          shares: {},
        },
      }),
      ...(any.providers && {
        matching: {
          senders: matchedSenders(
            any.providers.senders.map((provider, index) => ({ sender_id: `mailbox-${index}`, provider })),
          ),
          leads: new Map(any.providers.leads.entries()),
        },
      }),
      owner_timezone: any.owner_timezone,
      timezones: any.timezones,
      new_leads: Array.from({ length: any.leads }, (_, index) => index),
      waiting: [],
      starts_at: any.starts_at,
    }
  })

/** A mailbox without limits. */
export function aSender(sender_id: string, over: Partial<Sender> = {}): Sender {
  return {
    sender_id,
    channel: 'email',
    daily_limit: null,
    min_interval_seconds: 0,
    ramp_up: null,
    ramp_up_started_at: null,
    action_limits: {},
    last_action_at: null,
    used: [],
    ...over,
  }
}
