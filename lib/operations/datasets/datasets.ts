import {
  DeleteDataset,
  ExportDataset,
  ListDatasetRejects,
  ListDatasetRows,
  ListDatasets,
  ReadDataset,
  RenameDataset,
} from '#lib/contracts/datasets/datasets'
import { operation } from '#lib/operations/operation'
import * as service from '#lib/services/datasets/datasets'
import { exportDataset as exportRows } from '#lib/services/datasets/export'

export const listDatasets = operation(ListDatasets, ({ user, query }) =>
  service.listDatasets(user.workspace_id, query),
)
export const readDataset = operation(ReadDataset, ({ user, params }) =>
  service.getDataset(user.workspace_id, params.dataset_id),
)
export const renameDataset = operation(RenameDataset, ({ user, params, body }) =>
  service.renameDataset(user.workspace_id, params.dataset_id, body),
)
export const listDatasetRows = operation(ListDatasetRows, ({ user, params, query }) =>
  service.listDatasetRows(user.workspace_id, params.dataset_id, query),
)
export const listDatasetRejects = operation(ListDatasetRejects, ({ user, params, query }) =>
  service.listDatasetRejects(user.workspace_id, params.dataset_id, query),
)
export const deleteDataset = operation(DeleteDataset, ({ user, params }) =>
  service.deleteDataset(user.workspace_id, params.dataset_id),
)
export const exportDataset = operation(ExportDataset, ({ user, params, query }) =>
  exportRows(user.workspace_id, params.dataset_id, query),
)
