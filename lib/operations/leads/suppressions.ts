import {
  AddSuppressions,
  DeleteSuppression,
  DeleteSuppressions,
  ExportSuppressions,
  ImportSuppressions,
  ListSuppressions,
  ReadSuppressionReasons,
} from '#lib/contracts/leads/suppressions'
import { operation } from '#lib/operations/operation'
import * as service from '#lib/services/leads/suppressions'
import { exportSuppressions as exportAll } from '#lib/services/leads/suppressions/export'
import { countReasons, listSuppressions as list } from '#lib/services/leads/suppressions/list'

export const listSuppressions = operation(ListSuppressions, ({ user, query, now }) =>
  list(user.workspace_id, query, now),
)
export const readSuppressionReasons = operation(ReadSuppressionReasons, ({ user, query, now }) =>
  countReasons(user.workspace_id, query, now),
)
export const addSuppressions = operation(AddSuppressions, ({ user, body, now }) =>
  service.addSuppressions(user.workspace_id, body, now),
)
export const importSuppressions = operation(ImportSuppressions, ({ user, body, now }) =>
  service.importSuppressions(user.workspace_id, body, now),
)
export const exportSuppressions = operation(ExportSuppressions, ({ user, query, now }) =>
  exportAll(user.workspace_id, query, now),
)
export const deleteSuppression = operation(DeleteSuppression, ({ user, params }) =>
  service.deleteSuppression(user.workspace_id, params.suppression_id),
)
export const deleteSuppressions = operation(DeleteSuppressions, async ({ user, body }) => ({
  removed: await service.deleteSuppressions(user.workspace_id, body.suppression_ids),
}))
