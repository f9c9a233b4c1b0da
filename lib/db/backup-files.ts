import { createHash } from 'node:crypto'
import type { ClientBase } from 'pg'
import { z } from 'zod'
import { type TarEntry, tarFilling, tarHeader } from '#lib/db/tar'

/** The instance's local file storage; files in an external store are not part of a backup. */
export type LocalFiles = {
  open: (location: string) => Promise<{ size_bytes: number; parts: AsyncIterable<Uint8Array> } | null>
  has: (location: string) => Promise<boolean>
  write: (location: string, parts: AsyncIterable<Uint8Array>) => Promise<void>
  remove: (location: string) => Promise<void>
}

/** By location. A file deleted while the backup was made is left out; its row is gone since. */
export const FileList = z.record(z.string(), z.object({ bytes: z.int(), sha256: z.string() }))
export type FileList = z.output<typeof FileList>

const PREFIX = 'files/'
const LOCAL = 'disk'

/** Passes the parts on; at the end `count` receives their total bytes and digest. */
async function* counted(
  parts: AsyncIterable<Uint8Array>,
  count: (counted: FileList[string]) => void,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const part of parts) {
    hash.update(part)
    bytes += part.byteLength
    yield part
  }
  count({ bytes, sha256: hash.digest('hex') })
}

/** The locations of local files that the database references in this transaction's snapshot; none for older schema versions. */
export async function listLocalFiles(client: ClientBase, { strays = false } = {}): Promise<string[]> {
  const tables = [
    'social_post_attachments',
    'attachments',
    'uploaded_files',
    ...(strays ? ['stray_files'] : []),
  ]
  const unique = new Set<string>()
  for (const table of tables) {
    const { rows: there } = await client.query('SELECT to_regclass($1) AS id', [table])
    if (there[0]?.id === null) continue
    const { rows } = await client.query<{ location: string }>(
      `SELECT location FROM ${client.escapeIdentifier(table)} WHERE storage = $1`,
      [LOCAL],
    )
    for (const { location } of rows) unique.add(location)
  }
  return [...unique].toSorted()
}

/** Yields each file as archive entries, holding one part in memory at a time, and adds each written file to `list`. */
export async function* fileEntries(
  locations: string[],
  files: LocalFiles,
  { now, list }: { now: Date; list: FileList },
): AsyncGenerator<Uint8Array> {
  for (const location of locations) {
    const file = await files.open(location)
    if (!file) continue
    const { size_bytes } = file
    yield tarHeader({ name: `${PREFIX}${location}`, size_bytes }, now)
    yield* counted(file.parts, (count) => {
      // Stored files never change; otherwise the header would be wrong.
      if (count.bytes !== size_bytes) throw new Error(`${location} changed while it was read.`)
      list[location] = count
    })
    yield tarFilling(size_bytes)
  }
}

async function* pieces(first: TarEntry, next: () => Promise<TarEntry>): AsyncGenerator<Uint8Array> {
  let piece = first
  yield piece.bytes
  while (piece.rest > 0) {
    piece = await next()
    yield piece.bytes
  }
}

/**
 * Extracts files from an archive. Nothing uses them before the database references them, so `undo` only has to remove those that were not
 * there before.
 */
export function fileTaker(files: LocalFiles | undefined) {
  const taken: FileList = {}
  const added: string[] = []
  return {
    taken,
    /** Whether an entry is a file below the folder: the archive may come from anywhere. */
    isFile: ({ name }: TarEntry) =>
      name.startsWith(PREFIX) && !name.split('/').some((part) => part === '' || part.startsWith('.')),
    /** `next` returns the pieces that follow the first. */
    async take(first: TarEntry, next: () => Promise<TarEntry>) {
      const location = first.name.slice(PREFIX.length)
      const parts = counted(pieces(first, next), (count) => {
        taken[location] = count
      })
      if (files && !(await files.has(location))) added.push(location)
      if (files) await files.write(location, parts)
      else for await (const _ of parts);
    },
    /** Removes files that only the previous database referenced, since nothing else would ever remove them. */
    async forget(locations: string[]) {
      for (const location of locations)
        if (!(location in taken)) await files?.remove(location).catch(() => undefined)
    },
    async undo() {
      for (const location of added) await files?.remove(location)
    },
  }
}
