import { pipeline, Readable } from 'node:stream'
import { crc32, createInflateRaw } from 'node:zlib'
import { counted, tooLarge } from '#lib/providers/spreadsheet/budget'
import { type SheetFile, SpreadsheetError } from '#lib/providers/spreadsheet/port'

export type ZipEntry = {
  name: string
  method: number
  encrypted: boolean
  compressed_bytes: number
  /** 0 if the writer did not compute it. */
  crc: number
  /** As the directory claims; the real size may differ, so every reader counts. */
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

const dataView = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/**
 * The entries of a zip from its central directory (APPNOTE 4.3.12), keyed by lower-case path without a leading slash. Reads one
 * directory entry at a time.
 */
export function readZipDirectory(file: SheetFile): Map<string, ZipEntry> {
  const { count, start } = readEnd(file)
  let at = start
  const entries = new Map<string, ZipEntry>()
  if (count > MAX_ENTRIES) throw tooLarge(`The file is made of more than ${counted(MAX_ENTRIES)} parts.`)
  for (let n = 0; n < count; n++) {
    const view = dataView(file.read(at, at + 46))
    if (view.byteLength < 46 || view.getUint32(0, true) !== DIRECTORY_ENTRY) throw damaged()
    const nameLength = view.getUint16(28, true)
    const extraLength = view.getUint16(30, true)
    const nameAndExtra = file.read(at + 46, at + 46 + nameLength + extraLength)
    const name = new TextDecoder().decode(nameAndExtra.subarray(0, nameLength))
    const entry: ZipEntry = {
      name: name.replaceAll('\\', '/').replace(/^\/+/, ''),
      encrypted: (view.getUint16(8, true) & 1) === 1,
      method: view.getUint16(10, true),
      crc: view.getUint32(16, true),
      compressed_bytes: view.getUint32(20, true),
      claimed_bytes: view.getUint32(24, true),
      header_offset: view.getUint32(42, true),
    }
    readZip64Extra(dataView(nameAndExtra.subarray(nameLength)), entry)
    entries.set(entry.name.toLowerCase(), entry)
    at += 46 + nameLength + extraLength + view.getUint16(32, true)
  }
  return entries
}

/** The number of entries and the position of the first, from the end record, which may be followed by a comment. */
function readEnd(file: SheetFile): { count: number; start: number } {
  const view = dataView(file.read(Math.max(0, file.size - 22 - 0xffff), file.size))
  for (let at = view.byteLength - 22; at >= 0; at--) {
    if (view.getUint32(at, true) !== END_OF_DIRECTORY) continue
    return { count: view.getUint16(at + 10, true), start: view.getUint32(at + 16, true) }
  }
  throw damaged()
}

/** Writers that stream store 64-bit sizes even for small files. */
function readZip64Extra(view: DataView, entry: ZipEntry) {
  const end = view.byteLength
  let at = 0
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

/** The byte range of an entry's compressed data. */
function packedRange(file: SheetFile, entry: ZipEntry): { from: number; to: number } {
  const at = entry.header_offset
  if (entry.encrypted) throw new SpreadsheetError('encrypted', 'The file is protected with a password.')
  const view = dataView(file.read(at, at + 30))
  if (view.byteLength < 30 || view.getUint32(0, true) !== LOCAL_HEADER) throw damaged()
  const from = at + 30 + view.getUint16(26, true) + view.getUint16(28, true)
  const to = from + entry.compressed_bytes
  if (to > file.size) throw damaged()
  if (entry.method !== 0 && entry.method !== 8) throw damaged()
  return { from, to }
}

/** One small entry as text; more than `maxBytes` is too_large, whatever the directory claims. */
export async function unpackText(file: SheetFile, entry: ZipEntry, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder()
  const texts: string[] = []
  for await (const piece of streamEntry(file, entry, maxBytes))
    texts.push(decoder.decode(piece, { stream: true }))
  return texts.join('') + decoder.decode()
}

/** Unpacks one entry piece by piece on demand, never more than `maxBytes`. */
export async function* streamEntry(
  file: SheetFile,
  entry: ZipEntry,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  const packed = readPieces(file, packedRange(file, entry))
  let total = 0
  let crc = 0
  for await (const piece of entry.method === 0 ? packed : inflated(packed)) {
    total += piece.length
    crc = crc32(piece, crc)
    if (total > maxBytes) throw unpacksTooLarge(maxBytes)
    yield piece
  }
  if (entry.crc !== 0 && crc !== entry.crc) throw damaged()
}

function* readPieces(file: SheetFile, { from, to }: { from: number; to: number }): Generator<Uint8Array> {
  for (let at = from; at < to; at += PIECE_BYTES) yield file.read(at, Math.min(at + PIECE_BYTES, to))
}

async function* inflated(packed: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const inflate = createInflateRaw({ chunkSize: PIECE_BYTES })
  // The end is noticed by the loop below; this only handles errors of the source.
  pipeline(Readable.from(packed, { highWaterMark: 1 }), inflate, () => undefined)
  try {
    yield* inflate
  } catch (error) {
    throw error instanceof Error && 'errno' in error && 'code' in error && `${error.code}`.startsWith('Z_')
      ? damaged(error)
      : error
  } finally {
    inflate.destroy()
  }
}

const PIECE_BYTES = 1 << 17

/** Unpacks everything once without keeping it, and refuses a file that exceeds `maxBytes` in all. */
export async function refuseBomb(file: SheetFile, maxBytes: number): Promise<void> {
  let left = maxBytes
  for (const entry of readZipDirectory(file).values()) {
    if (entry.claimed_bytes > left) throw unpacksTooLarge(maxBytes)
    for await (const piece of streamEntry(file, entry, maxBytes)) {
      left -= piece.length
      if (left < 0) throw unpacksTooLarge(maxBytes)
    }
  }
}
