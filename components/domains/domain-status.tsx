import type { Tone } from '#components/ui/feedback/badge'
import { type StatusMark, StatusPill } from '#components/ui/feedback/status-pill'
import type { DomainRequirements, MailDomain, SetupRecord } from '#lib/contracts/domains/domains'

type Look = { tone: Tone; mark: StatusMark; label: string }

const DOMAIN: Record<MailDomain['status'], Look> = {
  pending: { tone: 'neutral', mark: 'hollow', label: 'Not looked up yet' },
  verifying: { tone: 'info', mark: 'pulse', label: 'Waiting for records' },
  verified: { tone: 'success', mark: 'check', label: 'Verified' },
  failed: { tone: 'danger', mark: 'cross', label: 'Failed' },
}

const RECORD: Record<SetupRecord['status'], Look> = {
  found: { tone: 'success', mark: 'check', label: 'Found' },
  missing: { tone: 'warning', mark: 'hollow', label: 'Missing' },
  mismatch: { tone: 'danger', mark: 'cross', label: 'Different' },
}

const VERDICT: Record<DomainRequirements['requirements'][number]['status'], Look> = {
  met: { tone: 'success', mark: 'check', label: 'Met' },
  not_met: { tone: 'danger', mark: 'cross', label: 'Not met' },
  unknown: { tone: 'neutral', mark: 'hollow', label: 'Unknown' },
}

export const DomainStatus = ({ status }: Pick<MailDomain, 'status'>) => <StatusPill {...DOMAIN[status]} />

export function RecordStatus({
  status,
  required,
  value,
  failure,
}: Pick<SetupRecord, 'status' | 'required' | 'value' | 'failure'>) {
  if (value === '') return <StatusPill tone="neutral" mark="hollow" label="Not used" />
  if (failure) return <StatusPill tone="warning" mark="pulse" label="DNS did not answer" />
  if (status === 'missing' && !required) return <StatusPill tone="neutral" mark="hollow" label="Optional" />
  return <StatusPill {...RECORD[status]} />
}

export const VerdictPill = ({ status }: { status: keyof typeof VERDICT }) => (
  <StatusPill {...VERDICT[status]} />
)

export const AlignedPill = ({ dmarc }: { dmarc: boolean }) => (
  <StatusPill
    tone={dmarc ? 'success' : 'warning'}
    mark={dmarc ? 'check' : 'hollow'}
    label={dmarc ? 'Aligned' : 'Not aligned'}
  />
)
