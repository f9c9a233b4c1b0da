import { StatusPill } from '#components/ui/feedback/status-pill'
import type { Campaign } from '#lib/contracts/campaigns/campaign'
import { statusAfter } from '#lib/domain/campaigns/campaign-status'

const LOOKS = {
  draft: { tone: 'neutral', mark: 'hollow', label: 'Draft' },
  scheduled: { tone: 'info', mark: 'half', label: 'Scheduled' },
  launching: { tone: 'info', mark: 'pulse', label: 'Launching' },
  active: { tone: 'accent', mark: 'pulse', label: 'Active' },
  draining: { tone: 'accent', mark: 'half', label: 'Following up' },
  paused: { tone: 'warning', mark: 'pause', label: 'Paused' },
  completed: { tone: 'success', mark: 'check', label: 'Completed' },
  failed: { tone: 'danger', mark: 'cross', label: 'Failed' },
} as const satisfies Record<Campaign['status'], Parameters<typeof StatusPill>[0]>

export function CampaignStatus({ status }: { status: Campaign['status'] }) {
  return <StatusPill {...LOOKS[status]} />
}

export const statusLabel = (status: Campaign['status']): string => LOOKS[status].label

/** Whether the page should refresh itself. */
export const isMoving = ({ status }: Pick<Campaign, 'status'>): boolean =>
  status === 'launching' || status === 'active' || status === 'draining' || status === 'scheduled'

export const mayLaunch = ({ status }: Pick<Campaign, 'status'>): boolean =>
  statusAfter('launch', status) !== null
