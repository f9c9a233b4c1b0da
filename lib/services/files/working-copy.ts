import { randomUUID } from 'node:crypto'
import * as fs from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { processState } from '#lib/process-state'

const PREFIX = 'opener-sheet-'
/** No read takes this long; an older copy was left by a killed process. */
const LEFT_MS = 3_600_000

/** A file to be read. `parts` streams its bytes and throws beyond the allowed size. */
export type Incoming = { filename: string; parts: AsyncIterable<Uint8Array> | Iterable<Uint8Array> }

/** A file of a request, with its name cleaned and shortened. */
export const incomingFile = (file: File): Incoming => ({
  filename: file.name.replaceAll('\0', '').toWellFormed().slice(0, 255) || 'upload',
  parts: file.stream(),
})

/** A copy that readers open by path. */
export type WorkingCopy = { filename: string; path: string; size: number }

/**
 * Streams the parts of a file into the system's temporary folder without holding them in memory, and removes the copy after `use`, whether
 * that succeeds or fails. Errors of `parts` are passed on.
 */
export async function withCopy<Answer>(
  { filename, parts }: Incoming,
  use: (copy: WorkingCopy) => Promise<Answer>,
): Promise<Answer> {
  await firstSweep().done
  const place = path.join(/* turbopackIgnore: true */ tmpdir(), `${PREFIX}${randomUUID()}`)
  const handle = await fs.open(place, 'wx', 0o600)
  try {
    let size = 0
    try {
      for await (const part of parts) {
        size += part.byteLength
        await handle.writeFile(part)
      }
    } finally {
      await handle.close()
    }
    return await use({ filename, path: place, size })
  } finally {
    await fs.rm(place, { force: true })
  }
}

/** Runs once per process, before its first copy. */
const firstSweep = () => processState('working copies', () => ({ done: removeLeftCopies(new Date()) }))

/** Removes the copies left by killed processes; returns how many. */
export async function removeLeftCopies(now: Date): Promise<number> {
  const folder = tmpdir()
  let removed = 0
  for (const name of await fs.readdir(folder)) {
    if (!name.startsWith(PREFIX)) continue
    const place = path.join(/* turbopackIgnore: true */ folder, name)
    const stats = await fs.stat(place).catch(unlessGone)
    if (!stats || stats.mtimeMs > now.getTime() - LEFT_MS) continue
    // Copies of another user of this machine are left to that user.
    if (process.getuid && stats.uid !== process.getuid()) continue
    await fs.rm(place, { force: true })
    removed += 1
  }
  return removed
}

/** Another process may have removed it first. */
function unlessGone(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
  throw error
}
