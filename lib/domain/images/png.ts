import { latin, type Size, toDataView, type Walked } from '#lib/domain/images/walked'

const SIGNATURE = '\x89PNG\r\n\x1a\n'
/** Texts, EXIF (where cameras store the location) and the time of the last change. */
const DROPPED = new Set(['tEXt', 'zTXt', 'iTXt', 'eXIf', 'tIME'])

export const isPng = (bytes: Uint8Array): boolean => latin(bytes, 0, 8) === SIGNATURE

/** Walks from chunk to chunk up to IEND (PNG, third edition, section 5); null if they do not lead there. */
export function walkPng(bytes: Uint8Array): Walked | null {
  const view = toDataView(bytes)
  const parts = [bytes.subarray(0, 8)]
  const frames: Size[] = []
  let canvas: Size | undefined
  let hasData = false
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = view.getUint32(at)
    const end = at + 12 + length
    const type = latin(bytes, at + 4, 4)
    if (end > bytes.length || (canvas === undefined) !== (type === 'IHDR')) return null
    if (type === 'IHDR') {
      if (length !== 13) return null
      canvas = { width: view.getUint32(at + 8), height: view.getUint32(at + 12) }
    }
    if (type === 'fcTL' && length >= 12)
      frames.push({ width: view.getUint32(at + 12), height: view.getUint32(at + 16) })
    if (type === 'IDAT') hasData = true
    if (!DROPPED.has(type)) parts.push(bytes.subarray(at, end))
    if (type === 'IEND')
      return canvas && hasData ? { ...canvas, frames: frames.length > 0 ? frames : [canvas], parts } : null
    at = end
  }
  return null
}
