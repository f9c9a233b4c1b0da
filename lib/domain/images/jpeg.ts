import { orientationSegment, readOrientation } from '#lib/domain/images/orientation'
import { latin, type Size, toDataView, type Walked } from '#lib/domain/images/walked'

const SOI = 0xd8
const EOI = 0xd9
const SOS = 0xda

export const isJpeg = (bytes: Uint8Array): boolean =>
  bytes[0] === 0xff && bytes[1] === SOI && bytes[2] === 0xff

const isFrameHeader = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
const standsAlone = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)

/** The first marker at or after `at` that is not compressed data; the length of the data if there is none. */
function endOfScan(bytes: Uint8Array, at: number): number {
  for (let place = at; place + 1 < bytes.length; place += 1) {
    if (bytes[place] !== 0xff) continue
    const next = bytes[place + 1] ?? 0
    if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return place
  }
  return bytes.length
}

/** Of the metadata segments, keeps only those that define the colours; JFIF without its thumbnail. */
function cleaned(marker: number, segment: Uint8Array): Uint8Array | null {
  const isExtra = (marker >= 0xe0 && marker <= 0xef) || marker === 0xfe
  if (!isExtra) return segment
  if (marker === 0xe0 && latin(segment, 4, 5) === 'JFIF\0' && segment.length >= 18) {
    const head = segment.slice(0, 18)
    head.set([0, 16], 2)
    head.set([0, 0], 16)
    return head
  }
  if (marker === 0xe2 && latin(segment, 4, 12) === 'ICC_PROFILE\0') return segment
  return marker === 0xee && latin(segment, 4, 5) === 'Adobe' ? segment : null
}

/**
 * Walks from marker to marker up to the end of the image (ITU-T T.81, annex B); null if they do not lead there. Of the metadata
 * only the orientation is kept, since the pixels are stored as the camera was held.
 */
export function walkJpeg(bytes: Uint8Array): Walked | null {
  const view = toDataView(bytes)
  const parts: Uint8Array[] = []
  const sizes: Size[] = []
  let orientation = 1
  let hasScan = false
  let at = 2
  while (at + 1 < bytes.length) {
    if (bytes[at] !== 0xff) return null
    const marker = bytes[at + 1] ?? 0
    // Fill bytes may precede markers.
    if (marker === 0xff || standsAlone(marker)) {
      at += marker === 0xff ? 1 : 2
      continue
    }
    const [size] = sizes
    if (marker === EOI) {
      if (!size || !hasScan) return null
      const turn = orientation > 1 ? [orientationSegment(orientation)] : []
      const [first, last] = [Uint8Array.of(0xff, SOI), Uint8Array.of(0xff, EOI)]
      return { ...size, frames: sizes, parts: [first, ...turn, ...parts, last] }
    }
    if (at + 4 > bytes.length) return null
    const end = at + 2 + view.getUint16(at + 2)
    if (end > bytes.length || end < at + 4) return null
    const segment = bytes.subarray(at, end)
    if (isFrameHeader(marker)) {
      if (segment.length < 9) return null
      sizes.push({ width: view.getUint16(at + 7), height: view.getUint16(at + 5) })
    }
    if (marker === 0xe1) orientation = readOrientation(segment.subarray(4)) ?? orientation
    if (marker === SOS) hasScan = true
    const next = marker === SOS ? endOfScan(bytes, end) : end
    const kept = marker === SOS ? bytes.subarray(at, next) : cleaned(marker, segment)
    if (kept) parts.push(kept)
    at = next
  }
  return null
}
