import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { dateTime, id, listEnvelope, paging, pathId } from '#lib/contracts/fields'
import { MAIL_IMAGE_BYTES } from '#lib/domain/images/mail-image'

/** The most images stored for one workspace. */
export const MOST_IMAGES = 500

export const Image = z
  .object({
    image_id: id(),
    workspace_id: id(),
    url: z.string().describe('For `<img src>`. Anyone with the URL can see it until it is removed.'),
    content_type: z.string().describe('By its content.'),
    size_bytes: z.int(),
    width: z.int(),
    height: z.int(),
    created_at: dateTime(),
  })
  .meta({ id: 'Image' })
export type Image = z.output<typeof Image>

export const CreateImage = contract({
  id: 'createImage',
  method: 'POST',
  path: '/images',
  tag: 'Templates',
  errors: 'flat',
  summary: 'Upload an image for messages',
  description: `A PNG, JPEG or GIF of up to 1 MB and 2400 × 2400 pixels, detected from its content. Its metadata is removed. Sent emails keep showing it, so it is kept until you remove it. Uploading the same image again returns the existing one. A workspace can have ${MOST_IMAGES} (409 \`images_full\`).`,
  body: z.object({ file: z.file() }),
  body_type: 'multipart',
  max_bytes: MAIL_IMAGE_BYTES + 256 * 1024,
  response: Image,
  status: 201,
  scope: 'write',
  refusals: [400, 409],
})

export const ListImages = contract({
  id: 'listImages',
  method: 'GET',
  path: '/images',
  tag: 'Templates',
  errors: 'flat',
  summary: 'List uploaded images',
  description: 'The newest first.',
  query: z.object(paging),
  response: listEnvelope(Image),
  status: 200,
  scope: 'read',
})

export const DeleteImage = contract({
  id: 'deleteImage',
  method: 'DELETE',
  path: '/images/{image_id}',
  tag: 'Templates',
  errors: 'flat',
  summary: 'Remove an uploaded image',
  description:
    'Admins only. Sent emails no longer show it. 409 `image_in_use` while a template, a campaign that has not ended or a signature uses it, including in child workspaces.',
  params: z.object({ image_id: pathId() }),
  response: null,
  status: 204,
  scope: 'write',
  role: 'admin',
  refusals: [404, 409],
  destructive: true,
})
