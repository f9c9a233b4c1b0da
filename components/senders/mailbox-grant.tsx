import { ActionButton } from '#components/ui/controls/action-button'
import type { FormResult } from '#components/ui/controls/action-form'
import { LinkButton } from '#components/ui/controls/link-button'
import { Callout } from '#components/ui/feedback/callout'
import { Panel } from '#components/ui/layout/panel'
import { RelativeTime } from '#components/ui/relative-time'
import type { Mailbox } from '#lib/contracts/senders/mailbox'
import { VENDOR_LABELS } from './connect-tiles.tsx'

type Props = {
  oauth: NonNullable<Mailbox['oauth']>
  now: string
  reconnect: () => Promise<FormResult>
  /** Reconnects by the other route. */
  reroute: () => Promise<FormResult>
}

const APIS = { google: 'the Gmail API', microsoft: 'Microsoft Graph' }

/** How a mailbox without a password signs in, with a button to renew the access. */
export function MailboxGrant({ oauth, now, reconnect, reroute }: Props) {
  const { vendor, route, granted_at, ended_cause, organization_id } = oauth
  if (organization_id) return <ByOrganization oauth={oauth} now={now} />
  const button = (
    <ActionButton variant={ended_cause ? 'primary' : 'secondary'} act={reconnect}>
      Reconnect
    </ActionButton>
  )
  if (ended_cause)
    return (
      <Callout tone="danger" title="Reconnect this mailbox" action={button}>
        {ended_cause === 'needs_admin'
          ? 'An administrator of your organization has to allow this app. Then reconnect the mailbox.'
          : `Sign in to ${VENDOR_LABELS[vendor]} again. Waiting messages continue automatically.`}
      </Callout>
    )
  return (
    <Panel title={`Signed in by ${VENDOR_LABELS[vendor]}`} action={button}>
      <p className="text-sm text-muted">
        Connected <RelativeTime at={granted_at} now={now} />. No password is stored. Access is renewed
        automatically.
      </p>
      <Untold oauth={oauth} />
      {vendor !== 'sandbox' && (
        <div className="mt-3 flex flex-wrap items-center justify-between gap-3">
          <p className="text-sm text-muted">
            {route === 'api'
              ? `Sends and reads over ${APIS[vendor]}.`
              : `Sends over SMTP and reads over IMAP. If these are blocked, use ${APIS[vendor]}.`}
          </p>
          <ActionButton size="sm" act={reroute}>
            {route === 'api' ? 'Use SMTP and IMAP instead' : `Use ${APIS[vendor]} instead`}
          </ActionButton>
        </div>
      )}
    </Panel>
  )
}

/** Nobody signs in to this mailbox; problems are fixed for its organization. */
function ByOrganization({ oauth, now }: Pick<Props, 'oauth' | 'now'>) {
  const { vendor, granted_at, organization_id } = oauth
  return (
    <Panel
      title="Connected by its organization"
      action={
        <LinkButton size="sm" href={`/mailboxes/organizations/${organization_id}`}>
          See the organization
        </LinkButton>
      }
    >
      <p className="text-sm text-muted">
        Connected <RelativeTime at={granted_at} now={now} />. Nobody signs in to it: its organization gives
        access{vendor === 'sandbox' ? '.' : `, and it sends and reads over ${APIS[vendor]}.`}
      </p>
      <Untold oauth={oauth} />
    </Panel>
  )
}

/** The vendor refused to send push notifications of new mail. */
function Untold({ oauth: { vendor, watch } }: Pick<Props, 'oauth'>) {
  if (!watch?.said) return null
  return (
    <p className="mt-3 text-sm text-muted wrap-anywhere">
      New mail is read on a schedule, because {VENDOR_LABELS[vendor]} does not push it: {watch.said}
    </p>
  )
}
