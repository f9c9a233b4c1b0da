import { Panel } from '#components/ui/layout/panel'
import { ZonedTime } from '#components/ui/zoned-time'
import type { OnePerson } from '#lib/contracts/leads/people'

/** The consents of a person, as evidence. */
export function PersonConsents({ consents, zone }: Pick<OnePerson, 'consents'> & { zone: string }) {
  return (
    <Panel title="Consent">
      <ul className="grid gap-4 text-sm">
        {consents.map((consent) => (
          <li key={consent.form_entry_id} className="grid gap-1">
            <blockquote className="border-l-2 border-border pl-3 whitespace-pre-line wrap-anywhere">
              {consent.consent_text}
            </blockquote>
            <p className="text-xs text-pretty wrap-anywhere text-muted">
              {consent.form_name}
              {consent.origin && ` on ${consent.origin}`}: sent{' '}
              <ZonedTime at={consent.given_at} zone={zone} />
              {consent.network && ` from ${consent.network}`}, confirmed by {consent.email}{' '}
              <ZonedTime at={consent.confirmed_at} zone={zone} />
              {consent.confirmed_network && ` from ${consent.confirmed_network}`}
            </p>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
