import {
  CheckSpreadsheet,
  CheckUpload,
  CreateDatasetFromUrl,
  CreateUpload,
  CreateUploadFromUrl,
  ImportSpreadsheet,
  ImportUpload,
  PreviewSpreadsheet,
  PreviewUpload,
} from '#lib/contracts/datasets/uploads'
import { operation } from '#lib/operations/operation'
import { checkImport } from '#lib/services/datasets/import-check'
import * as links from '#lib/services/datasets/links'
import * as service from '#lib/services/datasets/uploads'
import { openUpload } from '#lib/services/files/uploads'
import { incomingFile } from '#lib/services/files/working-copy'

export const previewSpreadsheet = operation(PreviewSpreadsheet, ({ user, query, body }) =>
  service.previewSpreadsheet(user.workspace_id, incomingFile(body.file), query.rows),
)
export const importSpreadsheet = operation(ImportSpreadsheet, ({ user, body, now }) =>
  service.importSpreadsheet(user.workspace_id, body, now),
)
export const checkSpreadsheet = operation(CheckSpreadsheet, ({ user, body: { file, ...wanted } }) =>
  checkImport(user.workspace_id, incomingFile(file), wanted),
)

export const createUpload = operation(CreateUpload, ({ user, body, now }) =>
  service.announceFile(user.workspace_id, body, now),
)
export const createUploadFromUrl = operation(CreateUploadFromUrl, ({ user, body, now }) =>
  links.createUploadFromUrl(user.workspace_id, body.url, now),
)
export const createDatasetFromUrl = operation(
  CreateDatasetFromUrl,
  ({ user, body: { url, ...wanted }, now }) =>
    links.createDatasetFromUrl(user.workspace_id, url, wanted, now),
)
export const previewUpload = operation(PreviewUpload, async ({ user, params, query, now }) =>
  service.previewSpreadsheet(
    user.workspace_id,
    await openUpload(user.workspace_id, params.upload_id, now),
    query.rows,
  ),
)
export const checkUpload = operation(CheckUpload, async ({ user, params, body, now }) =>
  checkImport(user.workspace_id, await openUpload(user.workspace_id, params.upload_id, now), body),
)
export const importUpload = operation(ImportUpload, async ({ user, params, body, now }) =>
  service.importUpload(user.workspace_id, params.upload_id, body, now),
)
