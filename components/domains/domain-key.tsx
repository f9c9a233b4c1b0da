import { KeyRound } from 'lucide-react'
import { ActionButton } from '#components/ui/controls/action-button'
import type { FormResult } from '#components/ui/controls/action-form'
import { Panel } from '#components/ui/layout/panel'
import type { MailDomain } from '#lib/contracts/domains/domains'

type Act = () => Promise<FormResult>

export function DomainKey({ domain, rotate }: { domain: MailDomain; rotate: Act }) {
  const { dkim_selector, dkim_next_selector } = domain
  return (
    <Panel
      title="Signing key"
      action={
        !dkim_next_selector && (
          <ActionButton
            size="sm"
            act={rotate}
            confirm={{
              title: `Replace the DKIM key of ${domain.domain}?`,
              description:
                'A second record appears below. The current key keeps signing until that record is found, so nothing is interrupted.',
              label: 'Create a new key',
            }}
          >
            <KeyRound aria-hidden /> Replace
          </ActionButton>
        )
      }
    >
      <p className="max-w-prose text-sm text-muted">
        {domain.dkim.status === 'found'
          ? 'Emails are signed'
          : 'Emails will be signed, once its record is found,'}{' '}
        with the key <code className="font-mono text-xs text-text">{dkim_selector}</code> (RSA, 2048 bits).
        {dkim_next_selector && (
          <>
            {' '}
            <code className="font-mono text-xs text-text">{dkim_next_selector}</code> takes over once its
            record is found. Publish it alongside the current one.
          </>
        )}
      </p>
    </Panel>
  )
}

export function BounceAddress({
  domain,
  set,
}: {
  domain: MailDomain
  set: (on: boolean) => Promise<FormResult>
}) {
  const { status, enabled } = domain.return_path
  if (status === 'not_used') return null
  return (
    <Panel
      title="Bounce address"
      action={
        <ActionButton size="sm" act={set.bind(null, !enabled)}>
          {enabled ? 'Switch off' : 'Switch on'}
        </ActionButton>
      }
    >
      <p className="max-w-prose text-sm text-muted">
        {enabled
          ? `Bounces come straight to Opener, at signed addresses on bounce.${domain.domain}, once both of its records are found.`
          : 'Bounces arrive in the mailbox. With a bounce address, each bounce is matched to its message. Your mail server must allow a different envelope sender (Gmail and Microsoft 365 do not).'}
      </p>
    </Panel>
  )
}
