import { PersonalizeRequested } from '#lib/events/catalog'
import { inngest } from '#lib/events/client'
import { ringAfter } from '#lib/services/instance/bells'
import { personalizeRound } from '#lib/services/personalize/round'
import { failRun } from '#lib/services/personalize/state/runs'

/** Rounds per run: few enough to keep a call's state small; the next run continues. */
const ROUNDS = 50

/** Writes the texts of a run, for a limited time per round. The ledger decides what is left, so a repeated event does nothing. */
export const personalizeLeads = inngest.createFunction(
  {
    id: 'personalize-leads',
    triggers: [PersonalizeRequested],
    // Two runs per owner at a time, since all owners share the engine's places.
    concurrency: [
      { key: 'event.data.run_id', limit: 1 },
      { key: 'event.data.workspace_id', limit: 2 },
    ],
    retries: 3,
    onFailure: async ({ event, error }) => {
      await ringAfter(failRun(event.data.event.data.run_id, error.message, new Date()))
    },
  },
  async ({ event, step }) => {
    const { workspace_id, run_id } = event.data
    for (let round = 1; round <= ROUNDS; round++) {
      const { state, wake_at } = await step.run(`round-${round}`, () => ringAfter(personalizeRound(run_id)))
      if (state === 'done') return { outcome: 'done' }
      if (state !== 'more' && wake_at) await step.sleepUntil(`wait-${round}`, wake_at)
    }
    await step.sendEvent('go-on', PersonalizeRequested.create({ workspace_id, run_id }))
    return { outcome: 'goes on' }
  },
)
