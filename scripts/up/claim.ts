import * as fs from 'node:fs'
import path from 'node:path'
import { takeLock } from '#scripts/up/lock'
import { readRunFile } from '#scripts/up/run-file'
import { Trouble } from '#scripts/up/trouble'

/** Locks the data folder for one instance, since two would send everything twice. Returns a function that releases it. */
export function claimFolder(folder: string): () => void {
  fs.mkdirSync(folder, { recursive: true })
  const lock = takeLock(path.join(folder, 'up.lock'))
  // The lock may have been removed by hand while its holder runs.
  const run = readRunFile(folder)
  if ('release' in lock && !run) return lock.release
  if ('release' in lock) lock.release()
  const pid = 'heldBy' in lock ? lock.heldBy.pid : run?.pid
  const where = run ? ` at ${run.url}` : ''
  throw new Trouble(
    `Opener already runs on ${folder}${where} (pid ${pid}): stop it, or set another DATA_DIR and PORT.`,
  )
}
