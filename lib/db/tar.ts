import { StringDecoder } from 'node:string_decoder'

const BLOCK = 512
/** The most a reader holds in memory at once. Larger files are read in pieces. */
const WHOLE_BYTES = 64 * 1024 * 1024
const PIECE_BYTES = 4 * 1024 * 1024

/** A file, or a piece of a large one: `rest` is the number of bytes in the pieces that follow. */
export type TarEntry = { name: string; bytes: Uint8Array; rest: number }

const octal = (value: number, width: number) => `${value.toString(8).padStart(width - 1, '0')}\0`

/** One file of an archive: its header, its bytes, and the padding after them. */
export const tarEntry = ({ name, bytes }: Omit<TarEntry, 'rest'>, at: Date): Uint8Array[] => [
  tarHeader({ name, size_bytes: bytes.byteLength }, at),
  bytes,
  tarFilling(bytes.byteLength),
]

/** The header before a file's bytes (POSIX.1-2017, pax, "ustar Interchange Format"). */
export function tarHeader({ name, size_bytes }: { name: string; size_bytes: number }, at: Date): Uint8Array {
  const header = Buffer.alloc(BLOCK)
  if (Buffer.byteLength(name) > 100) throw new Error(`${name} is too long a name for an archive.`)
  header.write(name, 0)
  header.write(octal(0o600, 8), 100)
  for (const place of [108, 116]) header.write(octal(0, 8), place)
  header.write(octal(size_bytes, 12), 124)
  header.write(octal(Math.floor(at.getTime() / 1000), 12), 136)
  header.write('0', 156)
  header.write('ustar\u000000', 257)
  header.write(`${computeChecksum(header).toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

/** The padding after a file's bytes, up to the end of the block. */
export const tarFilling = (size_bytes: number): Uint8Array =>
  Buffer.alloc((BLOCK - (size_bytes % BLOCK)) % BLOCK)

export const TAR_END: Uint8Array = Buffer.alloc(2 * BLOCK)

/** The sum of a header's bytes, with its checksum field counted as blanks. */
function computeChecksum(header: Uint8Array): number {
  return header.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 32 : byte), 0)
}

/** Reads the files of an archive, with one file or piece in memory at a time. Throws if the archive is truncated or invalid. */
export async function* readTar(source: AsyncIterable<Uint8Array>): AsyncGenerator<TarEntry> {
  const take = taker(source)
  for (;;) {
    const header = await take(BLOCK)
    if (header.every((byte) => byte === 0)) return
    const field = (from: number, length: number) =>
      new StringDecoder('utf8')
        .write(header.subarray(from, from + length))
        .split('\0')[0]
        ?.trim() ?? ''
    if (Number.parseInt(field(148, 8), 8) !== computeChecksum(header)) throw new Error('A header is damaged.')
    const size = Number.parseInt(field(124, 12), 8)
    if (!(size >= 0)) throw new Error('A header is damaged.')
    const most = size <= WHOLE_BYTES ? size : PIECE_BYTES
    for (let rest = size, isFirst = true; isFirst || rest > 0; isFirst = false) {
      const bytes = await take(Math.min(rest, most))
      rest -= bytes.byteLength
      yield { name: field(0, 100), bytes, rest }
    }
    await take(tarFilling(size).byteLength)
  }
}

/** Reads exactly the requested number of bytes from a stream. */
function taker(source: AsyncIterable<Uint8Array>) {
  const pieces = source[Symbol.asyncIterator]()
  let rest: Uint8Array = new Uint8Array()
  return async (count: number): Promise<Buffer> => {
    const parts: Uint8Array[] = []
    for (let missing = count; missing > 0; ) {
      if (rest.byteLength === 0) {
        const next = await pieces.next()
        if (next.done) throw new Error('The archive breaks off.')
        rest = next.value
      }
      const part = rest.subarray(0, missing)
      parts.push(part)
      rest = rest.subarray(part.byteLength)
      missing -= part.byteLength
    }
    return Buffer.concat(parts)
  }
}
