import {
  CreateAttachment,
  CreateAttachmentFromUpload,
  ReadAttachment,
} from '#lib/contracts/messages/attachments'
import { operation } from '#lib/operations/operation'
import * as service from '#lib/services/messages/attached/attachments'

export const createAttachment = operation(CreateAttachment, ({ user, body, now }) =>
  service.createAttachment(user, body.file, now),
)
export const createAttachmentFromUpload = operation(CreateAttachmentFromUpload, ({ user, params, now }) =>
  service.createAttachmentFromUpload(user, params.upload_id, now),
)
export const readAttachment = operation(ReadAttachment, ({ user, params, now }) =>
  service.readAttachment(user.workspace_id, params.attachment_id, now),
)
