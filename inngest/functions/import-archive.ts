import { WorkspaceImportRequested } from '#lib/events/catalog'
import { inngest } from '#lib/events/client'
import { failImport, runImport } from '#lib/services/workspaces/archive/imports'

/** Creates the workspace of an archive. One run at a time per workspace that requested one, so that a repeated event does nothing. */
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
