import { CheckSpreadsheet, ImportSpreadsheet, PreviewSpreadsheet } from '#lib/contracts/datasets/uploads'
import { operation } from '#lib/operations/operation'
import { checkImport } from '#lib/services/datasets/import-check'
import * as service from '#lib/services/datasets/uploads'

export const previewSpreadsheet = operation(PreviewSpreadsheet, ({ user, body }) =>
  service.previewSpreadsheet(user.user_id, body.file),
)
export const importSpreadsheet = operation(ImportSpreadsheet, ({ user, body }) =>
  service.importSpreadsheet(user.user_id, body),
)
export const checkSpreadsheet = operation(CheckSpreadsheet, ({ user, body }) =>
  checkImport(user.user_id, body),
)
