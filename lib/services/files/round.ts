import { pool } from '#lib/db/client'
import { removeStrays } from '#lib/services/files/files'
import { fileStorage } from '#lib/services/files/storage'
import { forgetUploads } from '#lib/services/files/uploads'

/** Removes uploads that nobody imported in time, and files whose rows are gone. */
export async function strayFileRound(): Promise<{ forgotten: number; removed: number }> {
  const now = new Date()
  return { forgotten: await forgetUploads(now), removed: await removeStrays(pool(), fileStorage, now) }
}
