import { StatusPill } from '#components/ui/feedback/status-pill'
import type { LeadStatus } from '#lib/domain/campaigns/campaign-status'
import type { LeadState } from '#lib/domain/leads/lead-states'

const LOOKS = {
  pending: { tone: 'neutral', mark: 'hollow', label: 'Not started' },
  active: { tone: 'accent', mark: 'half', label: 'In progress' },
  completed: { tone: 'success', mark: 'check', label: 'Finished' },
  replied: { tone: 'success', mark: 'full', label: 'Replied' },
  bounced: { tone: 'danger', mark: 'cross', label: 'Bounced' },
  unsubscribed: { tone: 'warning', mark: 'cross', label: 'Unsubscribed' },
  failed: { tone: 'danger', mark: 'cross', label: 'Failed' },
  skipped: { tone: 'neutral', mark: 'cross', label: 'Skipped' },
} as const satisfies Record<LeadStatus, Parameters<typeof StatusPill>[0]>

export const STATE_LABELS: Record<LeadState, string> = {
  not_started: 'Not started',
  in_progress: 'In progress',
  paused: 'Paused',
  error: 'Error',
  replied: 'Replied',
  finished: 'Finished',
}

export const leadStatusLabel = (status: LeadStatus): string => LOOKS[status].label

/** While the campaign is paused, every unfinished lead is shown as paused. */
export function LeadStatusPill({ status, isPaused }: { status: LeadStatus; isPaused: boolean }) {
  if (isPaused && (status === 'pending' || status === 'active'))
    return <StatusPill tone="warning" mark="pause" label="Paused" />
  return <StatusPill {...LOOKS[status]} />
}
