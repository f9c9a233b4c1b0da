import { onBell } from '#inngest/on-bell'
import { deliverRound } from '#lib/services/telling/webhook-round'

/** Delivers webhooks. A hanging endpoint blocks only its own lane, and a run that dies loses only time. */
export const deliverWebhooks = onBell(
  'webhooks',
  { id: 'deliver-webhooks', limit: 2, retries: 2 },
  deliverRound,
)
