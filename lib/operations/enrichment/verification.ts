import {
  ListVerifiedRows,
  ReadDatasetVerification,
  VerifyDataset,
} from '#lib/contracts/enrichment/verification'
import { operation } from '#lib/operations/operation'
import * as service from '#lib/services/enrichment/verification'

export const verifyDataset = operation(VerifyDataset, ({ user, params, body }) =>
  service.verifyDataset(user.workspace_id, params.dataset_id, body),
)
export const readDatasetVerification = operation(ReadDatasetVerification, ({ user, params }) =>
  service.readDatasetVerification(user.workspace_id, params.dataset_id),
)
export const listVerifiedRows = operation(ListVerifiedRows, ({ user, params, query }) =>
  service.listVerifiedRows(user.workspace_id, params.dataset_id, query),
)
