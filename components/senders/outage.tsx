import { Callout } from '#components/ui/feedback/callout'
import { RelativeTime } from '#components/ui/relative-time'
import type { SenderCause } from '#lib/domain/sending/sender-failures'

type Props = {
  cause: SenderCause
  /** The error, word for word. */
  said: string | null
  next_try_at: string | null
  now: string
}

const TITLES: Record<SenderCause, string> = {
  unreachable: 'Its server cannot be reached',
  sign_in: 'Its server refuses the sign-in',
  blocked: 'Its server is on a private network',
  throttled: 'Its server is not accepting more emails right now',
  refused: 'Its server does not let it send',
  misconfigured: 'This instance is not set up for it',
  unreadable: 'Its incoming emails cannot be read',
  signed_out: 'It was signed out',
  needs_admin: 'An administrator has to allow it',
}

const HELP: Partial<Record<SenderCause, string>> = {
  sign_in: 'Check its user name and password.',
  blocked: 'The operator can allow such hosts with ALLOW_PRIVATE_HOSTS.',
  unreadable: 'Follow-ups are sent only after replies are read. Check its IMAP server.',
  signed_out: 'Reconnect it: sign in again, and waiting messages continue.',
  needs_admin: 'Ask an administrator of its organization to allow this app, then reconnect it.',
  refused: 'Ask the provider whether it may send from this address.',
}

/** Why a mailbox or an account cannot send, and what happens meanwhile. */
export const Outage = ({ cause, said, next_try_at, now }: Props) => (
  <Callout tone="danger" title={TITLES[cause]}>
    {said && <p className="wrap-anywhere">{said}</p>}
    <p>
      {HELP[cause]} Its leads keep their places.{' '}
      {next_try_at && Date.parse(next_try_at) > Date.parse(now) ? (
        <>
          Next try <RelativeTime at={next_try_at} now={now} />.
        </>
      ) : (
        'It is retried with the next message.'
      )}
    </p>
  </Callout>
)
