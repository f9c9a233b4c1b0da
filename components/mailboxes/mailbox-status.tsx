import { StatusPill } from '#components/ui/status-pill'

/** Of a mailbox and of an account alike. */
export const MailboxStatus = ({ status }: { status: 'connected' | 'disconnected' }) =>
  status === 'connected' ? (
    <StatusPill tone="success" mark="check" label="Connected" />
  ) : (
    <StatusPill tone="danger" mark="cross" label="Disconnected" />
  )
