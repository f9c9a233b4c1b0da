import { latin, toDataView } from '#lib/domain/images/walked'

const TAG = 0x0112

/** The orientation, 1 to 8, in an EXIF segment (Exif 3.0, section 4.6.4); null if it has none. */
export function readOrientation(content: Uint8Array): number | null {
  if (latin(content, 0, 6) !== 'Exif\0\0') return null
  const tiff = content.subarray(6)
  const order = latin(tiff, 0, 2)
  if (tiff.length < 14 || (order !== 'II' && order !== 'MM')) return null
  const view = toDataView(tiff)
  const little = order === 'II'
  const directory = view.getUint32(4, little)
  if (directory + 2 > tiff.length) return null
  const count = view.getUint16(directory, little)
  for (let index = 0; index < count; index += 1) {
    const entry = directory + 2 + index * 12
    if (entry + 12 > tiff.length) return null
    if (view.getUint16(entry, little) !== TAG) continue
    const value = view.getUint16(entry + 8, little)
    return value >= 1 && value <= 8 ? value : null
  }
  return null
}

/** An EXIF segment with nothing but the orientation. */
export function orientationSegment(orientation: number): Uint8Array {
  const entry = [TAG >> 8, TAG & 0xff, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0]
  const tiff = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, ...entry, 0, 0, 0, 0]
  const content = [0x45, 0x78, 0x69, 0x66, 0, 0, ...tiff]
  return Uint8Array.from([0xff, 0xe1, 0, content.length + 2, ...content])
}
