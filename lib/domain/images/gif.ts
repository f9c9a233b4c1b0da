import { latin, type Size, toDataView, type Walked } from '#lib/domain/images/walked'

/** Extensions that hold the animation; the others carry texts. */
const KEPT_APPLICATIONS = new Set(['NETSCAPE2.0', 'ANIMEXTS1.0'])

export const isGif = (bytes: Uint8Array): boolean => /^GIF8[79]a$/.test(latin(bytes, 0, 6))

/** The size in bytes of the colour table that a packed field announces. */
const tableBytes = (packed: number) => (packed & 0x80 ? 3 * 2 ** ((packed & 7) + 1) : 0)

/** The end of a chain of sub-blocks that begins at `at`; null if it has none. */
function endOfBlocks(bytes: Uint8Array, at: number): number | null {
  for (let place = at; place < bytes.length; ) {
    const size = bytes[place] ?? 0
    place += 1 + size
    if (size === 0) return place
  }
  return null
}

function isKept(bytes: Uint8Array, at: number): boolean {
  const label = bytes[at + 1]
  if (label === 0xff) return KEPT_APPLICATIONS.has(latin(bytes, at + 3, 11))
  return label !== 0xfe
}

/** Walks from block to block up to the trailer (GIF89a, appendix B); null if the blocks do not lead there. */
export function walkGif(bytes: Uint8Array): Walked | null {
  if (bytes.length < 13) return null
  const view = toDataView(bytes)
  const sizeAt = (at: number): Size => ({
    width: view.getUint16(at, true),
    height: view.getUint16(at + 2, true),
  })
  const frames: Size[] = []
  let at = 13 + tableBytes(bytes[10] ?? 0)
  const parts = [bytes.subarray(0, at)]
  while (at < bytes.length) {
    const kind = bytes[at]
    if (kind === 0x3b) {
      parts.push(bytes.subarray(at, at + 1))
      return frames.length > 0 ? { ...sizeAt(6), frames, parts } : null
    }
    const isFrame = kind === 0x2c
    if ((!isFrame && kind !== 0x21) || (isFrame && at + 10 > bytes.length)) return null
    const blocks = isFrame ? at + 11 + tableBytes(bytes[at + 9] ?? 0) : at + 2
    const end = endOfBlocks(bytes, blocks)
    if (end === null || end > bytes.length) return null
    if (isFrame) frames.push(sizeAt(at + 5))
    if (isFrame || isKept(bytes, at)) parts.push(bytes.subarray(at, end))
    at = end
  }
  return null
}
