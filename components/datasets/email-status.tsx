import { StatusPill } from '#components/ui/feedback/status-pill'
import type { EmailStatus } from '#lib/domain/finder/verdict'

const LOOKS = {
  valid: { tone: 'success', mark: 'check', label: 'Valid' },
  invalid: { tone: 'danger', mark: 'cross', label: 'Invalid' },
  risky: { tone: 'warning', mark: 'half', label: 'Risky' },
  unknown: { tone: 'neutral', mark: 'hollow', label: 'Unknown' },
} as const satisfies Record<EmailStatus, Parameters<typeof StatusPill>[0]>

export const EmailStatusPill = ({ status }: { status: EmailStatus }) => <StatusPill {...LOOKS[status]} />
