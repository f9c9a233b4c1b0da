import { StatusPill } from '#components/ui/feedback/status-pill'

/** Of a mailbox and of an account alike. */
export function MailboxStatus({ status }: { status: 'connected' | 'failing' | 'disconnected' }) {
  if (status === 'connected') return <StatusPill tone="success" mark="check" label="Connected" />
  if (status === 'failing') return <StatusPill tone="danger" mark="cross" label="Cannot send" />
  return <StatusPill tone="danger" mark="cross" label="Disconnected" />
}
