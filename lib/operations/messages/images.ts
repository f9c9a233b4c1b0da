import { CreateImage, DeleteImage, ListImages } from '#lib/contracts/messages/images'
import { operation } from '#lib/operations/operation'
import * as service from '#lib/services/messages/images'

export const createImage = operation(CreateImage, ({ user, body, now }) =>
  service.createImage(user.workspace_id, body.file, now),
)

export const listImages = operation(ListImages, ({ user, query }) =>
  service.listImages(user.workspace_id, query),
)

export const deleteImage = operation(DeleteImage, ({ user, params }) =>
  service.deleteImage(user.workspace_id, params.image_id),
)
