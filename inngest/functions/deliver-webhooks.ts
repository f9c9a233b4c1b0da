import { cron } from 'inngest'
import { WebhookDue } from '#lib/events/catalog'
import { inngest } from '#lib/events/client'
import { deliverRound } from '#lib/services/telling/webhook-round'

const SWEEP_MS = 60_000

/** Tells webhooks what happened. One that hangs holds its own lane only; a run that dies loses nothing but time. */
export const deliverWebhooks = inngest.createFunction(
  {
    id: 'deliver-webhooks',
    triggers: [WebhookDue, cron('* * * * *')],
    concurrency: { limit: 2 },
    retries: 2,
  },
  async ({ step }) => {
    const until = await step.run('begin', () => new Date(Date.now() + SWEEP_MS).toISOString())
    for (let round = 1; ; round++) {
      const { wake_at } = await step.run(`round-${round}`, () => deliverRound(new Date(until)))
      if (!wake_at) return { rounds: round }
      await step.sleepUntil(`due-${round}`, new Date(wake_at))
    }
  },
)
