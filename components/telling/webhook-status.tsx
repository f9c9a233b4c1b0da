import { StatusPill } from '#components/ui/feedback/status-pill'
import type { Webhook, WebhookDelivery } from '#lib/contracts/telling/webhooks'

export function WebhookStatus({ webhook }: { webhook: Pick<Webhook, 'enabled' | 'failing_since'> }) {
  if (!webhook.enabled) return <StatusPill tone="neutral" mark="pause" label="Disabled" />
  if (webhook.failing_since) return <StatusPill tone="danger" mark="cross" label="Failing" />
  return <StatusPill tone="success" mark="check" label="Enabled" />
}

export function DeliveryStatus({ status, tried }: { status: WebhookDelivery['status']; tried: boolean }) {
  if (status === 'delivered') return <StatusPill tone="success" mark="check" label="Delivered" />
  if (status === 'failed') return <StatusPill tone="danger" mark="cross" label="Failed" />
  return <StatusPill tone={tried ? 'warning' : 'info'} mark="pulse" label={tried ? 'Retrying' : 'Waiting'} />
}

/** Why a webhook is disabled, in words. */
export const DISABLED_BECAUSE = {
  user: 'You disabled it. Events in the meantime are not kept.',
  gone: 'Its server answered 410 Gone, so no more events are sent.',
  failing: 'No delivery succeeded for five days.',
  imported: 'It was imported. Rotate its secret, give the receiver the new one, then enable it.',
} as const
