import { type JudgedImage, judgeImage, type RefusedImage } from '#lib/domain/images/judge'

/** Recipients may load the image over a mobile network. */
export const MAIL_IMAGE_BYTES = 1024 * 1024
/** Four times the width of a message on a desktop. */
const LONGEST_SIDE = 2_400

const tooLarge = (reason: string): RefusedImage => ({ ok: false, code: 'image_too_large', reason })

/** A complete PNG, JPEG or GIF of at most 1 MB and 2400 × 2400 pixels, checked by its content; without its metadata. */
export function judgeMailImage(file: Uint8Array): JudgedImage | RefusedImage {
  if (file.length > MAIL_IMAGE_BYTES) return tooLarge('The image is larger than 1 MB.')
  const judged = judgeImage(file)
  if (!judged.ok) return judged
  const { content_type, width, height } = judged
  if (content_type === 'image/webp')
    return {
      ok: false,
      code: 'not_an_image',
      reason: 'Outlook does not show WebP images. Use a PNG, JPEG or GIF.',
    }
  if (Math.max(width, height) > LONGEST_SIDE)
    return tooLarge(`The image is ${width} × ${height} pixels. The maximum is 2400 × 2400.`)
  return judged
}
