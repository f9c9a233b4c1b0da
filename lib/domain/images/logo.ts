import { judgeImage, type RefusedImage } from '#lib/domain/images/judge'

const LOGO_BYTES = 256 * 1024
const LONGEST_SIDE = 2_048

export type JudgedLogo = { ok: true; content_type: string; bytes: Uint8Array<ArrayBuffer> }

/** A complete, still PNG, JPEG or WebP of at most 256 KiB and 2048 × 2048 pixels, checked by its content. */
export function judgeLogo(file: Uint8Array): JudgedLogo | Pick<RefusedImage, 'ok' | 'reason'> {
  if (file.length > LOGO_BYTES) return { ok: false, reason: 'The logo is larger than 256 KiB.' }
  const judged = judgeImage(file)
  if (!judged.ok) return judged
  const { content_type, bytes, width, height } = judged
  if (content_type === 'image/gif')
    return { ok: false, reason: 'The logo must be a PNG, JPEG or WebP image.' }
  if (Math.max(width, height) > LONGEST_SIDE)
    return { ok: false, reason: `The logo is ${width} × ${height} pixels. The maximum is 2048 × 2048.` }
  return { ok: true, content_type, bytes }
}
