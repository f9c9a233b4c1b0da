import { AlignedPill, VerdictPill } from '#components/domains/domain-status'
import { Panel } from '#components/ui/panel'
import type { DomainRequirements } from '#lib/contracts/domains'

const PROVIDERS = { gmail: 'Gmail', yahoo: 'Yahoo', outlook: 'Outlook' } as const

/** What the three demand of whoever sends much, judged by what is known here, with where they say so. */
export function RequirementList({ requirements }: Pick<DomainRequirements, 'requirements'>) {
  const met = requirements.filter(({ status }) => status === 'met').length
  return (
    <Panel
      title="What Gmail, Yahoo and Outlook demand"
      description={`${met} of ${requirements.length} met. They apply in full from about 5,000 messages a day.`}
      flush
    >
      <ul>
        {requirements.map(({ id, title, status, reason, sources }) => (
          <li
            key={id}
            className="grid gap-x-4 gap-y-1 border-b border-border px-4 py-3 text-sm last:border-0 sm:grid-cols-[6rem_minmax(0,1fr)]"
          >
            <span>
              <VerdictPill status={status} />
            </span>
            <div className="min-w-0">
              <h3 className="font-medium">{title}</h3>
              <p className="max-w-prose text-muted wrap-anywhere">{reason}</p>
              <p className="mt-0.5 flex flex-wrap gap-x-3 text-muted">
                {sources.map(({ provider, title: source, url }) => (
                  <a
                    key={provider}
                    href={url}
                    rel="noreferrer"
                    target="_blank"
                    title={source}
                    className="rounded-xs underline decoration-border-strong underline-offset-2 hover:text-text"
                  >
                    {PROVIDERS[provider]}
                    <span className="sr-only"> on: {title}</span>
                  </a>
                ))}
              </p>
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

export function AlignmentList({ mailboxes, domain }: Pick<DomainRequirements, 'mailboxes' | 'domain'>) {
  return (
    <Panel title="Mailboxes of this domain" flush>
      {mailboxes.length === 0 ? (
        <p className="p-4 text-sm text-muted">No mailbox with an address at {domain} is connected.</p>
      ) : (
        <ul>
          {mailboxes.map(({ mailbox_id, address, alignment }) => (
            <li
              key={mailbox_id}
              className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b border-border px-4 py-3 text-sm last:border-0"
            >
              <span className="wrap-anywhere">{address}</span>
              <span className="flex flex-wrap items-center gap-2 text-muted">
                {alignment.reason}
                <AlignedPill dmarc={alignment.dmarc} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}
