import { latin, type Size, toDataView, type Walked } from '#lib/domain/images/walked'

const DROPPED = new Set(['EXIF', 'XMP '])
/** The VP8X flags that announce dropped chunks. */
const DROPPED_FLAGS = 0x08 | 0x04

export const isWebp = (bytes: Uint8Array): boolean =>
  latin(bytes, 0, 4) === 'RIFF' && latin(bytes, 8, 4) === 'WEBP'

/** The size in the header of the image data; null if the header is invalid. */
function readSize(type: string, data: Uint8Array): Size | null {
  const view = toDataView(data)
  if (type === 'VP8 ') {
    if (data.length < 10 || latin(data, 3, 3) !== '\x9d\x01\x2a') return null
    return { width: view.getUint16(6, true) & 0x3fff, height: view.getUint16(8, true) & 0x3fff }
  }
  if (data.length < 5 || data[0] !== 0x2f) return null
  const bits = view.getUint32(1, true)
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}

/** Two numbers of 24 bits, each stored less one. */
function largeSize(data: Uint8Array, at: number): Size | null {
  if (data.length < at + 6) return null
  const read = (from: number) =>
    (data[from] ?? 0) + ((data[from + 1] ?? 0) << 8) + ((data[from + 2] ?? 0) << 16)
  return { width: read(at) + 1, height: read(at + 3) + 1 }
}

function buildHeader(length: number): Uint8Array {
  const header = Uint8Array.from(Buffer.from('RIFF\0\0\0\0WEBP', 'latin1'))
  toDataView(header).setUint32(4, length + 4, true)
  return header
}

/** Walks from chunk to chunk up to the end that the header names (RFC 9649, section 2); null if they do not lead there. */
export function walkWebp(bytes: Uint8Array): Walked | null {
  const view = toDataView(bytes)
  const end = bytes.length < 12 ? 0 : 8 + view.getUint32(4, true)
  if (end < 20 || end > bytes.length) return null
  const kept: Uint8Array[] = []
  const frames: Size[] = []
  let canvas: Size | null = null
  let at = 12
  while (at + 8 <= end) {
    const type = latin(bytes, at, 4)
    const length = view.getUint32(at + 4, true)
    const next = at + 8 + length + (length % 2)
    if (at + 8 + length > end) return null
    const data = bytes.subarray(at + 8, at + 8 + length)
    const isPicture = type === 'VP8 ' || type === 'VP8L'
    const size = isPicture ? readSize(type, data) : type === 'ANMF' ? largeSize(data, 6) : undefined
    if (size === null) return null
    if (size) frames.push(size)
    // A copy, with the padding byte even if the file left it out.
    const chunk = new Uint8Array(next - at)
    chunk.set(bytes.subarray(at, Math.min(next, end)))
    if (type === 'VP8X') {
      canvas = largeSize(data, 4)
      if (!canvas || at !== 12) return null
      chunk[8] = (chunk[8] ?? 0) & ~DROPPED_FLAGS
    }
    if (!DROPPED.has(type)) kept.push(chunk)
    at = next
  }
  const first = frames[0]
  if (!first) return null
  const length = kept.reduce((sum, chunk) => sum + chunk.length, 0)
  return { ...(canvas ?? first), frames, parts: [buildHeader(length), ...kept] }
}
