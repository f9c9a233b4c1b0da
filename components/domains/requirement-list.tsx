import { PlacementBadge, VerdictWord } from '#components/domains/authentication-words'
import { AlignedPill, VerdictPill } from '#components/domains/domain-status'
import { Panel } from '#components/ui/layout/panel'
import type { DomainRequirements } from '#lib/contracts/domains/domains'
import { PROVIDER_NAMES } from '#lib/domain/domains/recipient-provider'
import { typedKeys } from '#lib/domain/text/record'

const PROVIDERS = { gmail: 'Gmail', yahoo: 'Yahoo', outlook: 'Outlook' } as const
type Provider = keyof typeof PROVIDERS

/**
 * The requirements of Google, Microsoft and Yahoo for bulk senders, checked as far as possible, with links to
 * their sources.
 */
export function RequirementList({ requirements }: Pick<DomainRequirements, 'requirements'>) {
  return (
    <Panel
      title="Requirements of Gmail, Yahoo and Outlook"
      description="They apply in full from about 5,000 messages a day."
      flush
    >
      <dl className="grid grid-cols-3 border-b border-border">
        {typedKeys(PROVIDERS).map((provider) => (
          <OfProvider key={provider} provider={provider} requirements={requirements} />
        ))}
      </dl>
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

/** How many requirements of one provider are met; unknown ones are not counted against it. */
function OfProvider({
  provider,
  requirements,
}: Pick<DomainRequirements, 'requirements'> & { provider: Provider }) {
  const own = requirements.filter(({ demanded_by }) => demanded_by.includes(provider))
  const count = (status: 'met' | 'not_met' | 'unknown') => own.filter((one) => one.status === status).length
  return (
    <div className="grid content-start gap-1 border-r border-border px-4 py-3 text-sm last:border-0">
      <dt className="font-medium">{PROVIDERS[provider]}</dt>
      <dd>
        {count('not_met') > 0 ? (
          <VerdictPill status="not_met" />
        ) : (
          <VerdictPill status={count('unknown') > 0 ? 'unknown' : 'met'} />
        )}
        <span className="mt-1 block text-muted">
          {count('met')} of {own.length} met
          {count('unknown') > 0 && `, ${count('unknown')} unknown`}
        </span>
      </dd>
    </div>
  )
}

export function AlignmentList({ mailboxes, domain }: Pick<DomainRequirements, 'mailboxes' | 'domain'>) {
  return (
    <Panel title="Mailboxes of this domain" flush>
      {mailboxes.length === 0 ? (
        <p className="p-4 text-sm text-muted">No mailbox at {domain} is connected.</p>
      ) : (
        <ul>
          {mailboxes.map(({ mailbox_id, address, alignment, seen }) => (
            <li
              key={mailbox_id}
              className="grid gap-1 border-b border-border px-4 py-3 text-sm last:border-0"
            >
              <span className="flex items-center justify-between gap-3">
                <span className="min-w-0 wrap-anywhere">{address}</span>
                <AlignedPill dmarc={alignment.dmarc} />
              </span>
              <span className="text-muted">{alignment.reason}</span>
              {seen.map((one) => (
                <Seen key={one.provider} {...one} />
              ))}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

/** What a provider reported about the last test email. */
function Seen({
  provider,
  placement,
  spf,
  dkim,
  dmarc,
}: DomainRequirements['mailboxes'][number]['seen'][number]) {
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1 text-muted">
      {provider === 'other' ? 'Another provider' : PROVIDER_NAMES[provider]} saw:{' '}
      <PlacementBadge placement={placement} />
      <span>
        SPF <VerdictWord result={spf} />, DKIM <VerdictWord result={dkim} />, DMARC{' '}
        <VerdictWord result={dmarc} />
      </span>
    </span>
  )
}
