import { StatusPill } from '#components/ui/feedback/status-pill'
import type { PersonalizationRun } from '#lib/contracts/personalize/personalize'

export const isRunUnderway = ({ status }: Pick<PersonalizationRun, 'status'>) =>
  status === 'queued' || status === 'running'

const LOOKS = {
  queued: { tone: 'neutral', mark: 'hollow', label: 'Queued' },
  running: { tone: 'info', mark: 'pulse', label: 'Writing' },
  completed: { tone: 'warning', mark: 'half', label: 'To review' },
  failed: { tone: 'danger', mark: 'cross', label: 'Failed' },
  cancelled: { tone: 'neutral', mark: 'cross', label: 'Cancelled' },
} as const

export function RunStatus({ run }: { run: Pick<PersonalizationRun, 'status' | 'reviewed_at'> }) {
  if (run.reviewed_at) return <StatusPill tone="success" mark="check" label="Reviewed" />
  return <StatusPill {...LOOKS[run.status]} />
}
