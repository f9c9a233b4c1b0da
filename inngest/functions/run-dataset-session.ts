import { DatasetSessionRequested } from '#lib/events/catalog'
import { inngest } from '#lib/events/client'
import { failSession } from '#lib/services/datasets/session-state'
import { workOnSession } from '#lib/services/enrichment/run'
import { ringAfter } from '#lib/services/instance/bells'

/** Rounds per run: a run may have a thousand steps, and a million rows need more, so the next run continues. */
const ROUNDS = 50

/** Enriches, extracts or finds addresses over the rows of a dataset. A repeated event finds the rows locked and ends. */
export const runDatasetSession = inngest.createFunction(
  {
    id: 'run-dataset-session',
    triggers: [DatasetSessionRequested],
    // One run per workspace at a time, and so one per dataset; a few workspaces at once.
    concurrency: [{ key: 'event.data.workspace_id', limit: 1 }, { limit: 4 }],
    retries: 3,
    onFailure: async ({ event, error }) => {
      await ringAfter(failSession(event.data.event.data.session_id, error.message, new Date()))
    },
  },
  async ({ event, step }) => {
    const { workspace_id, dataset_id, session_id } = event.data
    for (let round = 1; round <= ROUNDS; round++) {
      const { done } = await step.run(`rows-${round}`, () => ringAfter(workOnSession(session_id)))
      if (done) return { rounds: round }
    }
    await step.sendEvent('go-on', DatasetSessionRequested.create({ workspace_id, dataset_id, session_id }))
    return { outcome: 'goes on' }
  },
)
