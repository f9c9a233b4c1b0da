import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { dateTime, id, listEnvelope, paging, pathId } from '#lib/contracts/fields'
import { MAIL_IMAGE_BYTES } from '#lib/domain/images/mail-image'

/** Images that one workspace keeps. */
export const MOST_IMAGES = 500

export const Image = z
  .object({
    image_id: id(),
    workspace_id: id(),
    url: z.string().describe('For `<img src>`: everybody sees it who knows it, until it is removed.'),
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
  description: `A whole PNG, JPEG or GIF of at most 1 MB and 2400 × 2400 pixels, judged by its content; its metadata is removed. Emails that left go on showing it, so it is kept until you remove it. The same image again is the same. A workspace keeps ${MOST_IMAGES} (409 \`images_full\`).`,
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
    'For admins. Emails that left no longer show it. 409 `image_in_use` while a template, a campaign that has not ended or a signature shows it, also of a child workspace.',
  params: z.object({ image_id: pathId() }),
  response: null,
  status: 204,
  scope: 'write',
  role: 'admin',
  refusals: [404, 409],
  destructive: true,
})
