import type { StepConfig } from '#lib/contracts/campaigns/steps'
import type { ScheduleTimezone, SendDay, SendingWindow } from '#lib/domain/calendar/schedule'
import type { CampaignStatus } from '#lib/domain/campaigns/campaign-status'
import type { Channel } from '#lib/domain/campaigns/step-conditions'
import type { Consequence, Outcome } from '#lib/domain/sending/outcome'

/** The fields of a campaign that outcomes depend on. */
export type RecordedCampaign = {
  campaign_id: string
  steps_config: StepConfig[]
  timezone: string
  schedule_timezone: ScheduleTimezone
  /** Whether a webhook of the owner subscribes to `lead.sent`. */
  tells_sent: boolean
  sending_window_start: string
  sending_window_end: string
  sending_windows: SendingWindow[] | null
  open_from: Date | null
  open_until: Date | null
  send_days: SendDay[]
  status: CampaignStatus
  /** The number of leads that have not ended. */
  leads_left: number
}

export type RecordedAction = {
  action_id: string
  campaign_lead_id: string
  campaign_id: string
  workspace_id: string
  /** The mailbox or the account. */
  sender_id: string
  channel: Channel
  action_type: string
  step: number
  performed_at: Date
  attempts: number
  status: 'sending' | 'uncertain'
  email: string | null
  /** The lead's own time zone, if leads keep their own; else null. */
  timezone: string | null
  /** It became uncertain, and nothing has happened to its lead since, so the lead could go back to this step. */
  is_latest: boolean
  /** Whether its campaign has leads that have not begun. */
  has_new: boolean
  /** Whether its sender was known to be failing. */
  sender_fails: boolean
}

export type Recorded = {
  action: RecordedAction
  campaign: RecordedCampaign
  outcome: Outcome
  means: Consequence
}
