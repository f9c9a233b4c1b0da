import { ImportSpreadsheet, PreviewSpreadsheet } from '#lib/contracts/uploads'
import { operation } from '#lib/operations/operation'
import * as service from '#lib/services/uploads'

export const previewSpreadsheet = operation(PreviewSpreadsheet, ({ body }) =>
  service.previewSpreadsheet(body.file),
)
export const importSpreadsheet = operation(ImportSpreadsheet, ({ user, body }) =>
  service.importSpreadsheet(user.user_id, body),
)
