import type { InboxMessage } from '#lib/contracts/inbox/inbox'

const LINE = 'px-4 pt-1 text-xs text-muted wrap-anywhere'

/** Further recipients of a message, and which of them refused it. */
export function Addressed({ message }: { message: InboxMessage }) {
  const { recipients, cc, bcc, delivery_status, response } = message
  const to = recipients.filter(({ address }) => !cc.includes(address))
  const refused = delivery_status === 'sent' ? /\bNot taken for .+/s.exec(response ?? '')?.[0] : null
  return (
    <>
      {to.length > 1 && <p className={LINE}>To {to.map(({ address }) => address).join(', ')}</p>}
      <Copies cc={cc} bcc={bcc} />
      {refused && <p className="px-4 pt-1 text-xs text-warning wrap-anywhere">{refused}</p>}
    </>
  )
}

export function Copies({ cc, bcc }: { cc: string[]; bcc: string[] }) {
  if (cc.length + bcc.length === 0) return null
  return (
    <p className={LINE}>
      {cc.length > 0 && `Cc ${cc.join(', ')}`}
      {cc.length > 0 && bcc.length > 0 && ' · '}
      {bcc.length > 0 && `Bcc ${bcc.join(', ')}`}
    </p>
  )
}
