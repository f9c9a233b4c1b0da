import { StatusPill } from '#components/ui/feedback/status-pill'
import { Panel } from '#components/ui/layout/panel'
import { EMAIL_STATUSES, type EmailStatus } from '#lib/domain/finder/verdict'

const LOOKS = {
  valid: { tone: 'success', mark: 'check', label: 'Valid' },
  invalid: { tone: 'danger', mark: 'cross', label: 'Invalid' },
  risky: { tone: 'warning', mark: 'half', label: 'Risky' },
  unknown: { tone: 'neutral', mark: 'hollow', label: 'Unknown' },
} as const satisfies Record<EmailStatus, Parameters<typeof StatusPill>[0]>

export const EmailStatusPill = ({ status }: { status: EmailStatus }) => <StatusPill {...LOOKS[status]} />

const MEANING: Record<EmailStatus, string> = {
  valid: 'The mail server accepts the address.',
  risky: 'A team or disposable address, or a server that accepts any name.',
  invalid: 'Would bounce: no such mailbox, domain or mail server.',
  unknown: 'The server gave no answer. Try again later.',
}

/** Each status with what it says of an address. */
export function EmailStatuses() {
  return (
    <Panel title="What a status means">
      <dl className="grid gap-3 text-sm sm:grid-cols-[6rem_minmax(0,1fr)]">
        {EMAIL_STATUSES.map((status) => (
          <div key={status} className="contents">
            <dt>
              <EmailStatusPill status={status} />
            </dt>
            <dd className="text-muted max-sm:-mt-2">{MEANING[status]}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  )
}
