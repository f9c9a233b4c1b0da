import { crc32, createInflateRaw, inflateRawSync } from 'node:zlib'
import { counted, tooLarge } from '#lib/providers/spreadsheet/budget'
import { SpreadsheetError } from '#lib/providers/spreadsheet/port'

export type ZipEntry = {
  name: string
  method: number
  encrypted: boolean
  compressed_bytes: number
  /** 0 where the writer did not trouble to compute it. */
  crc: number
  /** As the directory claims; what comes out may differ, so every reader counts for itself. */
  claimed_bytes: number
  header_offset: number
}

const END_OF_DIRECTORY = 0x06054b50
const DIRECTORY_ENTRY = 0x02014b50
const LOCAL_HEADER = 0x04034b50
const IN_ZIP64_EXTRA = 0xffffffff

const damaged = (cause?: unknown) =>
  new SpreadsheetError('damaged', 'The file is damaged: its contents cannot be unpacked.', { cause })
const MAX_ENTRIES = 1_000

const unpacksTooLarge = (maxBytes: number) =>
  tooLarge(`The file, or a part of it, unpacks to more than ${counted(Math.round(maxBytes / 1_000_000))} MB.`)

/** The entries of a zip by its central directory (APPNOTE 4.3.12), keyed by lower-case path without a leading slash. */
export function readZipDirectory(bytes: Uint8Array): Map<string, ZipEntry> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = findEnd(view)
  if (end === -1) throw damaged()
  const count = view.getUint16(end + 10, true)
  let at = view.getUint32(end + 16, true)
  const entries = new Map<string, ZipEntry>()
  if (count > MAX_ENTRIES) throw tooLarge(`The file is made of more than ${counted(MAX_ENTRIES)} parts.`)
  for (let n = 0; n < count; n++) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== DIRECTORY_ENTRY) throw damaged()
    const nameLength = view.getUint16(at + 28, true)
    const extraLength = view.getUint16(at + 30, true)
    const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength))
    const entry: ZipEntry = {
      name: name.replaceAll('\\', '/').replace(/^\/+/, ''),
      encrypted: (view.getUint16(at + 8, true) & 1) === 1,
      method: view.getUint16(at + 10, true),
      crc: view.getUint32(at + 16, true),
      compressed_bytes: view.getUint32(at + 20, true),
      claimed_bytes: view.getUint32(at + 24, true),
      header_offset: view.getUint32(at + 42, true),
    }
    readZip64Extra(view, at + 46 + nameLength, extraLength, entry)
    entries.set(entry.name.toLowerCase(), entry)
    at += 46 + nameLength + extraLength + view.getUint16(at + 32, true)
  }
  return entries
}

function findEnd(view: DataView): number {
  const earliest = Math.max(0, view.byteLength - 22 - 0xffff)
  for (let at = view.byteLength - 22; at >= earliest; at--) {
    if (view.getUint32(at, true) === END_OF_DIRECTORY) return at
  }
  return -1
}

/** Writers that stream note their sizes in 64 bits even for small files. */
function readZip64Extra(view: DataView, start: number, length: number, entry: ZipEntry) {
  const end = Math.min(start + length, view.byteLength)
  let at = start
  while (at + 4 <= end) {
    const id = view.getUint16(at, true)
    const size = view.getUint16(at + 2, true)
    let field = at + 4
    at = field + size
    if (id !== 1 || at > end) continue
    for (const key of ['claimed_bytes', 'compressed_bytes', 'header_offset'] as const) {
      if (entry[key] !== IN_ZIP64_EXTRA || field + 8 > at) continue
      entry[key] = Number(view.getBigUint64(field, true))
      field += 8
    }
  }
}

function compressedBytes(bytes: Uint8Array, entry: ZipEntry): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const at = entry.header_offset
  if (entry.encrypted) throw new SpreadsheetError('encrypted', 'The file is protected with a password.')
  if (at + 30 > bytes.length || view.getUint32(at, true) !== LOCAL_HEADER) throw damaged()
  const start = at + 30 + view.getUint16(at + 26, true) + view.getUint16(at + 28, true)
  if (start + entry.compressed_bytes > bytes.length) throw damaged()
  if (entry.method !== 0 && entry.method !== 8) throw damaged()
  return bytes.subarray(start, start + entry.compressed_bytes)
}

/** One small entry, unpacked whole; more than `maxBytes` is too_large, whatever the directory claims. */
export function unpackEntry(bytes: Uint8Array, entry: ZipEntry, maxBytes: number): Uint8Array {
  const packed = compressedBytes(bytes, entry)
  const unpacked = entry.method === 0 ? packed : inflateWhole(packed, maxBytes)
  if (unpacked.length > maxBytes) throw unpacksTooLarge(maxBytes)
  if (entry.crc !== 0 && crc32(unpacked) !== entry.crc) throw damaged()
  return unpacked
}

function inflateWhole(packed: Uint8Array, maxBytes: number): Uint8Array {
  try {
    return inflateRawSync(packed, { maxOutputLength: maxBytes })
  } catch (error) {
    throw error instanceof RangeError ? unpacksTooLarge(maxBytes) : damaged(error)
  }
}

/** One entry, unpacked piece by piece as it is asked for, never more than `maxBytes` of it. */
export async function* streamEntry(
  bytes: Uint8Array,
  entry: ZipEntry,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  const packed = compressedBytes(bytes, entry)
  let total = 0
  let crc = 0
  for await (const piece of entry.method === 0 ? slices(packed) : inflated(packed)) {
    total += piece.length
    crc = crc32(piece, crc)
    if (total > maxBytes) throw unpacksTooLarge(maxBytes)
    yield piece
  }
  if (entry.crc !== 0 && crc !== entry.crc) throw damaged()
}

function* slices(bytes: Uint8Array) {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES)
}

async function* inflated(packed: Uint8Array): AsyncGenerator<Uint8Array> {
  const inflate = createInflateRaw({ chunkSize: PIECE_BYTES })
  inflate.end(packed)
  try {
    yield* inflate
  } catch (error) {
    throw error instanceof Error && 'errno' in error ? damaged(error) : error
  } finally {
    inflate.destroy()
  }
}

const PIECE_BYTES = 1 << 17

/** Unpacks everything once, keeping nothing, and refuses what comes to more than `maxBytes` in all. */
export async function refuseBomb(bytes: Uint8Array, maxBytes: number): Promise<void> {
  let left = maxBytes
  for (const entry of readZipDirectory(bytes).values()) {
    if (entry.claimed_bytes > left) throw unpacksTooLarge(maxBytes)
    for await (const piece of streamEntry(bytes, entry, maxBytes)) {
      left -= piece.length
      if (left < 0) throw unpacksTooLarge(maxBytes)
    }
  }
}
