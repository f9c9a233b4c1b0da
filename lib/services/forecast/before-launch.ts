import type { StepConfig } from '#lib/contracts/campaigns/steps'
import type { Reader } from '#lib/db/client'
import type { Channel } from '#lib/domain/campaigns/step-conditions'
import { type Forecast, type ForecastInput, forecast } from '#lib/domain/forecast/forecast'
import type { OutOfReach } from '#lib/domain/sending/dispatch-state'
import { FRESH_PACE } from '#lib/domain/sending/pacing'
import type { Sender } from '#lib/domain/sending/sender-limits'
import { forecastWithOthers } from '#lib/services/forecast/beside'
import {
  type Forecastable,
  launchedRules,
  loadConnectedSenders,
  withoutHeld,
} from '#lib/services/forecast/input'
import { runInSlices } from '#lib/services/forecast/run-in-slices'
import type { TimezoneOf } from '#lib/services/leads/rows/clocks'
import { loadRotation } from '#lib/services/senders/member-rotation'
import type { HeldTexts } from '#lib/services/sending/missing-texts'

/** The leads that a launch would start with, and those that would wait for their texts. */
export type Launched = {
  leads: ArrayLike<number>
  unreached: OutOfReach | null
  held?: HeldTexts[]
  away?: ReadonlyMap<number, number>
  after_colleague?: ForecastInput['after_colleague']
  providers?: Pick<ForecastInput, 'provider_pauses' | 'provider_matching'>
  timezones?: TimezoneOf
  /**
   * The earliest instant at which other campaigns may be done with each person, by lead_index. Absent if the
   * campaign's leads are not known as people yet.
   */
  elsewhere?: () => Promise<ReadonlyMap<number, number>>
}

/**
 * Forecasts a campaign before its launch: it starts at `startsAt` with these leads, together with the running
 * campaigns.
 */
export async function forecastBeforeLaunch(
  reader: Reader,
  campaign: Forecastable,
  launched: Launched,
  startsAt: Date,
  now: Date,
): Promise<Forecast> {
  const { leads, unreached, held = [], away = new Map(), after_colleague, providers } = launched
  const { timezones, elsewhere } = launched
  const senders = await loadConnectedSenders(reader, campaign, now)
  const supposed = channelsWithoutSender(campaign.steps_config, senders)
  const input: ForecastInput = {
    campaign: await launchedRules(campaign, startsAt),
    pace: FRESH_PACE,
    senders: [...senders, ...supposed.map(supposedSender)],
    ...(await loadRotation(reader, campaign, senders)),
    owner_timezone: campaign.owner_timezone,
    ...withoutHeld(held, { new_leads: leads, follow_ups: [] }),
    ...(unreached ? { out_of_reach: unreached } : {}),
    away,
    ...(after_colleague && { after_colleague }),
    ...providers,
    ...timezones,
    starts_at: startsAt.getTime(),
  }
  const planned = elsewhere
    ? await forecastWithOthers(reader, { campaign, input, is_launched: false }, elsewhere, now)
    : await runInSlices(forecast(input))
  const warnings = supposed.map((channel) => ({
    code: 'no_sender',
    message: `No connected ${channel === 'email' ? 'mailbox' : 'account'} can do the ${channel} steps. The forecast assumes one without limits.`,
  }))
  return { ...planned, warnings: [...warnings, ...planned.warnings] }
}

function channelsWithoutSender(steps: readonly StepConfig[], senders: readonly Sender[]): Channel[] {
  const channels = new Set(steps.map((step) => step.channel))
  return [...channels].filter((channel) => !senders.some((sender) => sender.channel === channel))
}

/**
 * A placeholder sender without limits, so that a campaign can be planned before a mailbox is connected. Its
 * id sorts after every real one.
 */
const supposedSender = (channel: Channel): Sender => ({
  sender_id: `supposed ${channel}`,
  channel,
  daily_limit: null,
  min_interval_seconds: 0,
  ramp_up: null,
  ramp_up_started_at: null,
  action_limits: {},
  last_action_at: null,
  used: [],
})
