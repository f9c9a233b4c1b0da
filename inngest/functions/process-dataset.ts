import { DatasetProcessRequested, SearchFillRequested } from '#lib/events/catalog'
import { inngest } from '#lib/events/client'
import { importRows } from '#lib/services/datasets/import'
import { failImport } from '#lib/services/datasets/session-state'
import { startAfterImport } from '#lib/services/enrichment/sessions'
import { ringAfter } from '#lib/services/instance/bells'

/** Imports the rows of an upload. One run at a time per dataset, so that a repeated event does nothing. */
export const processDataset = inngest.createFunction(
  {
    id: 'process-dataset',
    triggers: [DatasetProcessRequested],
    concurrency: [
      { key: 'event.data.dataset_id', limit: 1 },
      { key: 'event.data.workspace_id', limit: 2 },
    ],
    retries: 2,
    onFailure: async ({ event, error }) => {
      await ringAfter(failImport(event.data.event.data.session_id, error.message))
    },
  },
  async ({ event, step }) => {
    const { dataset_id, session_id } = event.data
    const imported = await step.run('import', async () => {
      const outcome = await importRows(dataset_id, session_id, new Date())
      return outcome && { kept: outcome.kept, refused: outcome.refused }
    })
    await step.run('go-on', () => ringAfter(startAfterImport(dataset_id, session_id, new Date())))
    await step.sendEvent('fill-searches', SearchFillRequested.create({}))
    return imported
  },
)
