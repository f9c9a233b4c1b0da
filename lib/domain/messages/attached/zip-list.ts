const END = 0x06054b50
const ENTRY = 0x02014b50
const END_BYTES = 22
const LONGEST_COMMENT = 65_535
const MOST_ENTRIES = 10_000
const ENCRYPTED = 1

export type ZipList = { names: string[]; is_encrypted: boolean }

/** The directory of a ZIP; null if it is unreadable. Nothing is unpacked. */
export function listZip(bytes: Uint8Array): ZipList | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = findEnd(view)
  if (end === null) return null
  const count = view.getUint16(end + 10, true)
  let at = view.getUint32(end + 16, true)
  if (count > MOST_ENTRIES) return null
  const decoder = new TextDecoder()
  const names: string[] = []
  let is_encrypted = false
  for (let entry = 0; entry < count; entry += 1) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== ENTRY) return null
    if (view.getUint16(at + 8, true) & ENCRYPTED) is_encrypted = true
    const length = view.getUint16(at + 28, true)
    names.push(decoder.decode(bytes.subarray(at + 46, at + 46 + length)))
    at += 46 + length + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
  return { names, is_encrypted }
}

/** Searches from the end, since only a comment may follow. */
function findEnd(view: DataView): number | null {
  const last = view.byteLength - END_BYTES
  for (let at = last; at >= Math.max(0, last - LONGEST_COMMENT); at -= 1)
    if (view.getUint32(at, true) === END) return at
  return null
}
