import { createHash } from 'node:crypto'
import type { ClientBase } from 'pg'
import { z } from 'zod'
import { type TarEntry, tarEntry } from '#lib/db/tar'

/** Where the instance keeps files of its own; what lies in a store elsewhere is that store's to keep. */
export type LocalFiles = {
  read: (location: string) => Promise<Uint8Array | null>
  put: (location: string, bytes: Uint8Array, content_type: string) => Promise<unknown>
  remove: (location: string) => Promise<void>
}

/** By location. One that was deleted while the backup was made is not in it: the database has let go of it since. */
export const FileList = z.record(z.string(), z.object({ bytes: z.int(), sha256: z.string() }))
export type FileList = z.output<typeof FileList>

const PREFIX = 'files/'
const LOCAL = 'disk'
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

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

/** Each file as an entry of the archive, one in memory at a time; what was written is added to `list`. */
export async function* fileEntries(
  locations: string[],
  files: LocalFiles,
  { now, list }: { now: Date; list: FileList },
): AsyncGenerator<Uint8Array> {
  for (const location of locations) {
    const bytes = await files.read(location)
    if (!bytes) continue
    list[location] = { bytes: bytes.byteLength, sha256: sha256(bytes) }
    yield* tarEntry({ name: `${PREFIX}${location}`, bytes }, now)
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
    async take({ name, bytes }: TarEntry) {
      const location = name.slice(PREFIX.length)
      taken[location] = { bytes: bytes.byteLength, sha256: sha256(bytes) }
      const there = await files?.read(location)
      if (there && sha256(there) === taken[location].sha256) return
      if (!there) added.push(location)
      // The type matters to stores that serve files themselves; this one does not.
      await files?.put(location, bytes, 'application/octet-stream')
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
