import path from 'node:path'
import { env } from '#lib/env'
import { createBlobStorage } from '#lib/providers/storage/blob'
import { createDiskStorage } from '#lib/providers/storage/disk'
import type { FileStorage } from '#lib/providers/storage/port'

const made = new Map<string, FileStorage>()

/**
 * The storage of a name; unnamed, where new files go: Vercel Blob where there is a token for it, else FILES_DIR or a
 * folder of DATA_DIR. Files of the other one stay readable for as long as it is there.
 */
export function fileStorage(name?: string): FileStorage {
  const { BLOB_READ_WRITE_TOKEN, BLOB_ACCESS, DATA_DIR, FILES_DIR } = env()
  const wanted = name ?? (BLOB_READ_WRITE_TOKEN ? 'blob' : 'disk')
  const known = made.get(wanted)
  if (known) return known
  if (wanted === 'blob' && !BLOB_READ_WRITE_TOKEN)
    throw new Error('A file lies in Vercel Blob, and BLOB_READ_WRITE_TOKEN is not set.')
  const storage =
    BLOB_READ_WRITE_TOKEN && wanted === 'blob'
      ? createBlobStorage({ token: BLOB_READ_WRITE_TOKEN, access: BLOB_ACCESS })
      : createDiskStorage(FILES_DIR ?? path.join(/* turbopackIgnore: true */ DATA_DIR, 'files'))
  made.set(wanted, storage)
  return storage
}
