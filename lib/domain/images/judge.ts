import { isGif, walkGif } from '#lib/domain/images/gif'
import { isJpeg, walkJpeg } from '#lib/domain/images/jpeg'
import { isPng, walkPng } from '#lib/domain/images/png'
import type { Walked } from '#lib/domain/images/walked'
import { isWebp, walkWebp } from '#lib/domain/images/webp'

export const IMAGE_BYTES = 10 * 1024 * 1024
/** About LinkedIn's limit of 36,152,320 pixels. */
const LONGEST_SIDE = 6_012
/** For all frames together: a small file may unpack to a great deal. */
const MOST_PIXELS = 400_000_000

const FORMATS = [
  { type: 'png', is: isPng, walk: walkPng },
  { type: 'jpeg', is: isJpeg, walk: walkJpeg },
  { type: 'gif', is: isGif, walk: walkGif },
  { type: 'webp', is: isWebp, walk: walkWebp },
] as const

export type JudgedImage = {
  ok: true
  extension: 'png' | 'jpg' | 'gif' | 'webp'
  content_type: `image/${'png' | 'jpeg' | 'gif' | 'webp'}`
  width: number
  height: number
  /** Without the metadata that tells where, when and by whom it was made. */
  bytes: Uint8Array<ArrayBuffer>
}
export type RefusedImage = { ok: false; code: 'not_an_image' | 'image_too_large'; reason: string }

const refused = (code: RefusedImage['code'], reason: string): RefusedImage => ({ ok: false, code, reason })

/**
 * Checks a file by its content, never by its name: a complete PNG, JPEG, GIF or WebP of at most 10 MiB and 6012 × 6012 pixels.
 * Nothing is decompressed; sizes are read from the headers.
 */
export function judgeImage(bytes: Uint8Array): JudgedImage | RefusedImage {
  if (bytes.length === 0) return refused('not_an_image', 'The image is empty.')
  if (bytes.length > IMAGE_BYTES) return refused('image_too_large', 'The image is larger than 10 MiB.')
  const format = FORMATS.find(({ is }) => is(bytes))
  if (!format) return refused('not_an_image', 'The file is not a PNG, JPEG, GIF or WebP image.')
  const walked = format.walk(bytes)
  if (!walked) return refused('not_an_image', `The ${format.type.toUpperCase()} image is damaged or cut off.`)
  const excess = findExcess(walked)
  if (excess) return excess
  return {
    ok: true,
    extension: format.type === 'jpeg' ? 'jpg' : format.type,
    content_type: `image/${format.type}`,
    width: walked.width,
    height: walked.height,
    bytes: new Uint8Array(Buffer.concat(walked.parts)),
  }
}

function findExcess({ width, height, frames }: Walked): RefusedImage | null {
  const sizes = [{ width, height }, ...frames]
  if (sizes.some((size) => size.width < 1 || size.height < 1))
    return refused('not_an_image', 'The image has no pixels.')
  if (sizes.some((size) => Math.max(size.width, size.height) > LONGEST_SIDE))
    return refused(
      'image_too_large',
      `The image is ${width} × ${height} pixels. The maximum is ${LONGEST_SIDE} × ${LONGEST_SIDE}.`,
    )
  const pixels = frames.reduce((sum, size) => sum + size.width * size.height, 0)
  if (pixels > MOST_PIXELS)
    return refused('image_too_large', `The image has ${frames.length} frames, which is too many.`)
  return null
}
