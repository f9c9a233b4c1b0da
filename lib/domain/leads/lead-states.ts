import { type CampaignStatus, LEAD_STATUSES, type LeadStatus } from '#lib/domain/campaigns/campaign-status'

/** The states by which lists of leads are filtered; every lead is in exactly one. */
export const LEAD_STATES = ['not_started', 'in_progress', 'paused', 'error', 'replied', 'finished'] as const
export type LeadState = (typeof LEAD_STATES)[number]

type Rule = { statuses: readonly LeadStatus[]; campaign_paused: boolean | null }

/** The statuses of a state; `campaign_paused`: only while the campaign is or is not paused (null: in any case). */
const RULES: Record<LeadState, Rule> = {
  not_started: { statuses: ['pending'], campaign_paused: false },
  in_progress: { statuses: ['active'], campaign_paused: false },
  paused: { statuses: ['pending', 'active'], campaign_paused: true },
  error: { statuses: ['failed', 'bounced'], campaign_paused: null },
  replied: { statuses: ['replied'], campaign_paused: null },
  finished: { statuses: ['completed', 'unsubscribed', 'skipped'], campaign_paused: null },
}

export const stateRule = (state: LeadState): Rule => RULES[state]

/** The state of a lead with this status, in a campaign with that status. */
export function leadState(lead: LeadStatus, campaign: CampaignStatus): LeadState {
  const isPaused = campaign === 'paused'
  const holds = ({ statuses, campaign_paused }: Rule) =>
    statuses.includes(lead) && (campaign_paused ?? isPaused) === isPaused
  return LEAD_STATES.find((state) => holds(RULES[state])) ?? 'finished'
}

type Asked = { status?: LeadStatus | undefined; state?: LeadState | undefined }

/** The statuses that match a list's filters, in a campaign with that status; null: all. */
export function statusesAsked({ status, state }: Asked, campaign: CampaignStatus): LeadStatus[] | null {
  if (!status && !state) return null
  return LEAD_STATUSES.filter(
    (one) => (!status || one === status) && (!state || leadState(one, campaign) === state),
  )
}

/** The number of leads in each state, from the number in each status. */
export function countStates(
  counts: Record<LeadStatus, number>,
  campaign: CampaignStatus,
): Record<LeadState, number> {
  const states = { not_started: 0, in_progress: 0, paused: 0, error: 0, replied: 0, finished: 0 }
  for (const status of LEAD_STATUSES) states[leadState(status, campaign)] += counts[status]
  return states
}
