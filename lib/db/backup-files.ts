import { createHash } from 'node:crypto'
import type { ClientBase } from 'pg'
import { z } from 'zod'
import { type TarEntry, tarFilling, tarHeader } from '#lib/db/tar'

/** Where the instance keeps files of its own; what lies in a store elsewhere is that store's to keep. */
export type LocalFiles = {
  open: (location: string) => Promise<{ size_bytes: number; parts: AsyncIterable<Uint8Array> } | null>
  has: (location: string) => Promise<boolean>
  write: (location: string, parts: AsyncIterable<Uint8Array>) => Promise<void>
  remove: (location: string) => Promise<void>
}

/** By location. One that was deleted while the backup was made is not in it: the database has let go of it since. */
export const FileList = z.record(z.string(), z.object({ bytes: z.int(), sha256: z.string() }))
export type FileList = z.output<typeof FileList>

const PREFIX = 'files/'
const LOCAL = 'disk'

/** The same parts; at their end `count` is told how many bytes they were, and their digest. */
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

/** The locations of local files that the database names, as this transaction sees it; of an older version: none. */
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

/** Each file as an entry of the archive, a part in memory at a time; what was written is added to `list`. */
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
      // No file is changed once it is there: the header would be wrong.
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
 * Takes files out of an archive into their places. Nothing else looks there before the database names them, so `undo` has
 * only to take away again what was not there before.
 */
export function fileTaker(files: LocalFiles | undefined) {
  const taken: FileList = {}
  const added: string[] = []
  return {
    taken,
    /** One whose place is below the folder: an archive may come from anywhere. */
    isFile: ({ name }: TarEntry) =>
      name.startsWith(PREFIX) && !name.split('/').some((part) => part === '' || part.startsWith('.')),
    /** `next` answers the pieces that follow the first. */
    async take(first: TarEntry, next: () => Promise<TarEntry>) {
      const location = first.name.slice(PREFIX.length)
      const parts = counted(pieces(first, next), (count) => {
        taken[location] = count
      })
      if (files && !(await files.has(location))) added.push(location)
      if (files) await files.write(location, parts)
      else for await (const _ of parts);
    },
    /** Of files that the database named before: nothing names them any more, so nothing else would ever remove them. */
    async forget(locations: string[]) {
      for (const location of locations)
        if (!(location in taken)) await files?.remove(location).catch(() => undefined)
    },
    async undo() {
      for (const location of added) await files?.remove(location)
    },
  }
}
