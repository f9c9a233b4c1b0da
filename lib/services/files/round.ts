import { pool } from '#lib/db/client'
import { removeStrays } from '#lib/services/files/files'
import { fileStorage } from '#lib/services/files/storage'
import { forgetUploads } from '#lib/services/files/uploads'
import { removeLeftCopies } from '#lib/services/files/working-copy'

/** Removes uploads that were not imported in time, files whose rows are gone, and working copies left by killed processes. */
export async function strayFileRound(): Promise<{ forgotten: number; removed: number }> {
  const now = new Date()
  await removeLeftCopies(now)
  return { forgotten: await forgetUploads(now), removed: await removeStrays(pool(), fileStorage, now) }
}
