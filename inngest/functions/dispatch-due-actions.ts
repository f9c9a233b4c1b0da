import { cron } from 'inngest'
import { CampaignWoken } from '#lib/events/catalog'
import { inngest } from '#lib/events/client'
import { dispatchRound } from '#lib/services/sending/round'

const SWEEP_MS = 60_000

/** Sends all that is due, sleeps until the next slot, and ends when the next sweep takes over. */
export const dispatchDueActions = inngest.createFunction(
  {
    id: 'dispatch-due-actions',
    triggers: [CampaignWoken, cron('* * * * *')],
    concurrency: { limit: 2 },
    // Every crash of the app or the engine costs one; out of them, sending would stand until the next sweep.
    retries: 5,
  },
  async ({ step }) => {
    const until = await step.run('begin', () => new Date(Date.now() + SWEEP_MS).toISOString())
    for (let round = 1; ; round++) {
      const { wake_at } = await step.run(`round-${round}`, () => dispatchRound(new Date(until)))
      if (!wake_at) return { rounds: round }
      await step.sleepUntil(`slot-${round}`, new Date(wake_at))
    }
  },
)
