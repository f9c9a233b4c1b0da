import type { StepConfig } from '#lib/contracts/campaigns/steps'
import type { ScheduleTimezone, SendDay, SendingWindow } from '#lib/domain/calendar/schedule'
import type { CampaignStatus } from '#lib/domain/campaigns/campaign-status'
import type { Channel } from '#lib/domain/campaigns/step-conditions'
import type { Consequence, Outcome } from '#lib/domain/sending/outcome'

/** A campaign as far as outcomes depend on it. */
export type RecordedCampaign = {
  campaign_id: string
  steps_config: StepConfig[]
  timezone: string
  schedule_timezone: ScheduleTimezone
  /** Whether some webhook of the owner asks for `lead.sent`. */
  tells_sent: boolean
  sending_window_start: string
  sending_window_end: string
  sending_windows: SendingWindow[] | null
  open_from: Date | null
  open_until: Date | null
  send_days: SendDay[]
  status: CampaignStatus
  /** Those that have not ended. */
  leads_left: number
}

export type RecordedAction = {
  action_id: string
  campaign_lead_id: string
  campaign_id: string
  workspace_id: string
  /** Its mailbox, or its account. */
  sender_id: string
  channel: Channel
  action_type: string
  step: number
  performed_at: Date
  attempts: number
  status: 'sending' | 'uncertain'
  email: string | null
  /** Of the lead, where leads keep their own clocks; else null. */
  timezone: string | null
  /** It turned uncertain, and nothing of its lead has happened since: it could go back to this step. */
  is_latest: boolean
  /** Whether its campaign has leads that nobody has begun with. */
  has_new: boolean
  /** Whether its sender was known not to send. */
  sender_fails: boolean
}

export type Recorded = {
  action: RecordedAction
  campaign: RecordedCampaign
  outcome: Outcome
  means: Consequence
}
