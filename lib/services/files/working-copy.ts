import { randomUUID } from 'node:crypto'
import * as fs from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { processState } from '#lib/process-state'

const PREFIX = 'opener-sheet-'
/** Nothing reads for so long; what is older was left by a process that was killed. */
const LEFT_MS = 3_600_000

/** A file on its way to be read. `parts` are given as they come, and throw where there are more than may be. */
export type Incoming = { filename: string; parts: AsyncIterable<Uint8Array> | Iterable<Uint8Array> }

/** A file of a request, under the name that is kept. */
export const incomingFile = (file: File): Incoming => ({
  filename: file.name.replaceAll('\0', '').toWellFormed().slice(0, 255) || 'upload',
  parts: file.stream(),
})

/** A copy that readers open by its path. */
export type WorkingCopy = { filename: string; path: string; size: number }

/**
 * Writes the parts of a file into the system's folder for temporary files as they come, none of them held, and removes it
 * when `use` is over, however it ended. Whatever `parts` throws is thrown on.
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

/** Once in a process, before it makes its first copy. */
const firstSweep = () => processState('working copies', () => ({ done: removeLeftCopies(new Date()) }))

/** Removes the copies of processes that were killed; answers how many. */
export async function removeLeftCopies(now: Date): Promise<number> {
  const folder = tmpdir()
  let removed = 0
  for (const name of await fs.readdir(folder)) {
    if (!name.startsWith(PREFIX)) continue
    const place = path.join(/* turbopackIgnore: true */ folder, name)
    const stats = await fs.stat(place).catch(unlessGone)
    if (!stats || stats.mtimeMs > now.getTime() - LEFT_MS) continue
    // Those of another user of this machine are that one's to remove.
    if (process.getuid && stats.uid !== process.getuid()) continue
    await fs.rm(place, { force: true })
    removed += 1
  }
  return removed
}

/** Another process may have been faster. */
function unlessGone(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
  throw error
}
