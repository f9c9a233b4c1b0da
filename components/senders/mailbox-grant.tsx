import { ActionButton } from '#components/ui/controls/action-button'
import type { FormResult } from '#components/ui/controls/action-form'
import { Callout } from '#components/ui/feedback/callout'
import { Panel } from '#components/ui/layout/panel'
import { RelativeTime } from '#components/ui/zoned-time'
import type { Mailbox } from '#lib/contracts/senders/mailboxes'
import { VENDOR_LABELS } from './connect-tiles.tsx'

type Props = { oauth: NonNullable<Mailbox['oauth']>; now: string; reconnect: () => Promise<FormResult> }

/** How a mailbox signs in that has no password here, and the one click that renews it. */
export function MailboxGrant({ oauth, now, reconnect }: Props) {
  const { vendor, granted_at, ended_cause } = oauth
  const button = (
    <ActionButton variant={ended_cause ? 'primary' : 'secondary'} act={reconnect}>
      Reconnect
    </ActionButton>
  )
  if (ended_cause)
    return (
      <Callout tone="danger" title="It has to be reconnected" action={button}>
        {ended_cause === 'needs_admin'
          ? 'An administrator of its organization has to allow this app. Then reconnect it.'
          : `Sign in at ${VENDOR_LABELS[vendor]} once more. What waits for it goes on by itself.`}
      </Callout>
    )
  return (
    <Panel title={`Signed in by ${VENDOR_LABELS[vendor]}`} action={button}>
      <p className="text-sm text-muted">
        Connected <RelativeTime at={granted_at} now={now} />. No password is kept here; the access is renewed
        automatically.
      </p>
    </Panel>
  )
}
