import {
  AddDatasetRows,
  EditDatasetRow,
  ImportDatasetRejects,
  RemoveDatasetRow,
  RemoveDatasetRows,
} from '#lib/contracts/datasets/dataset-rows'
import { CompareTable, SyncTable } from '#lib/contracts/datasets/table-sync'
import { operation } from '#lib/operations/operation'
import { addDatasetRows as addRows } from '#lib/services/leads/rows/add-rows'
import * as service from '#lib/services/leads/rows/edit-row'
import { importDatasetRejects as importRejects } from '#lib/services/leads/rows/fixed-rejects'
import * as sync from '#lib/services/leads/rows/table-sync'

export const addDatasetRows = operation(AddDatasetRows, ({ user, params, body, now }) =>
  addRows(user.workspace_id, params.dataset_id, body, now),
)
export const importDatasetRejects = operation(ImportDatasetRejects, ({ user, params, body, now }) =>
  importRejects(user.workspace_id, params.dataset_id, body, now),
)
export const editDatasetRow = operation(EditDatasetRow, ({ user, params, body, now }) =>
  service.editDatasetRow({ ...params, workspace_id: user.workspace_id }, body, now),
)
export const removeDatasetRow = operation(RemoveDatasetRow, ({ user, params, now }) =>
  service.removeDatasetRow({ ...params, workspace_id: user.workspace_id }, now),
)
export const removeDatasetRows = operation(RemoveDatasetRows, ({ user, params, body, now }) =>
  service.removeDatasetRows({ ...params, workspace_id: user.workspace_id }, body.lead_indexes, now),
)
export const compareTable = operation(CompareTable, ({ user, params, body, now }) =>
  sync.compareTable(user.workspace_id, params, body, now),
)
export const syncTable = operation(SyncTable, ({ user, params, body, now }) =>
  sync.syncTable(user.workspace_id, params, body, now),
)
