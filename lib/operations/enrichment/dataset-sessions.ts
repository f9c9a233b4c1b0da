import {
  CancelDatasetSession,
  ListDatasetChanges,
  ListDatasetSessions,
  ListEnrichmentProviders,
  ProcessDataset,
  ReadDatasetSession,
  UndoDatasetSession,
} from '#lib/contracts/enrichment/dataset-sessions'
import { operation } from '#lib/operations/operation'
import { listEnrichmentProviders as listProviders } from '#lib/services/enrichment/providers'
import * as service from '#lib/services/enrichment/sessions'
import { undoDatasetSession as undo } from '#lib/services/enrichment/undo'

export const processDataset = operation(ProcessDataset, ({ user, params, body, now }) =>
  service.processDataset(user.workspace_id, params.dataset_id, body, now),
)
export const listDatasetSessions = operation(ListDatasetSessions, ({ user, params, query }) =>
  service.listDatasetSessions(user.workspace_id, params.dataset_id, query),
)
export const readDatasetSession = operation(ReadDatasetSession, ({ user, params }) =>
  service.readDatasetSession(user.workspace_id, params.dataset_id, params.session_id),
)
export const cancelDatasetSession = operation(CancelDatasetSession, ({ user, params, now }) =>
  service.cancelDatasetSession(user.workspace_id, params.dataset_id, params.session_id, now),
)
export const undoDatasetSession = operation(UndoDatasetSession, ({ user, params, now }) =>
  undo(user.workspace_id, params.dataset_id, params.session_id, now),
)
export const listDatasetChanges = operation(ListDatasetChanges, ({ user, params, query }) =>
  service.listDatasetChanges(user.workspace_id, params.dataset_id, query),
)
export const listEnrichmentProviders = operation(ListEnrichmentProviders, ({ user, params, query }) =>
  listProviders(user.workspace_id, params.dataset_id, query),
)
