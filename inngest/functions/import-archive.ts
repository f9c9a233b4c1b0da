import { WorkspaceImportRequested } from '#lib/events/catalog'
import { inngest } from '#lib/events/client'
import { failImport, runImport } from '#lib/services/workspaces/archive/imports'

/** Makes the workspace of an archive. One import at a time each, so that an event that comes twice does nothing. */
export const importArchive = inngest.createFunction(
  {
    id: 'import-archive',
    triggers: [WorkspaceImportRequested],
    concurrency: [{ key: 'event.data.workspace_id', limit: 1 }, { limit: 2 }],
    retries: 2,
    onFailure: async ({ event, error }) =>
      failImport(event.data.event.data.import_id, error.message, new Date()),
  },
  async ({ event, step }) => step.run('import', () => runImport(event.data.import_id, new Date())),
)
