import { randomUUID } from 'node:crypto'
import type { Pool } from 'pg'
import { db } from '#lib/db/client'
import type { PrismaClient } from '#lib/db/generated/client'
import { keyFor } from '#lib/db/seal'
import { inTransaction } from '#lib/db/transaction'
import { fileToken, readFileToken } from '#lib/domain/tokens/file-token'
import { env } from '#lib/env'
import { AppError } from '#lib/errors'
import { type FileStorage, StorageTrouble } from '#lib/providers/storage/port'
import { fileStorage } from '#lib/services/files/storage'

const HOUR_MS = 3_600_000

export type StoredFile = { storage: string; location: string }

/**
 * Stores bytes. Until a row adopts the file it is a stray, recorded before the storage has it, so that a file whose request died in between
 * is removed after an hour.
 */
export async function keepFile(
  storage: FileStorage,
  file: { folder: string; extension: string; content_type: string; bytes: Uint8Array },
  now: Date,
): Promise<StoredFile> {
  const location = `${file.folder}/${randomUUID()}.${file.extension}`
  const stored = { storage: storage.name, location }
  await db.strayFile.create({ data: { ...stored, remove_at: new Date(now.getTime() + HOUR_MS) } })
  try {
    await storage.put(location, file.bytes, file.content_type)
  } catch (cause) {
    if (!(cause instanceof StorageTrouble)) throw cause
    throw new AppError('storage_unavailable', { cause })
  }
  return stored
}

/** Ends the stray state, in the transaction that writes the row the file belongs to. */
export async function adoptFile(tx: Pick<PrismaClient, 'strayFile'>, { storage, location }: StoredFile) {
  const { count } = await tx.strayFile.deleteMany({ where: { storage, location } })
  // It took so long that the stray was removed.
  if (count === 0) throw new AppError('storage_unavailable')
}

/** Removes strays; returns how many. One that cannot be removed now is tried again after an hour. */
export async function removeStrays(
  pool: Pool,
  findStorage: (name: string) => FileStorage,
  now: Date,
  most = 500,
): Promise<number> {
  for (let removed = 0; ; removed += 1)
    if (removed === most || !(await removeOne(pool, findStorage, now))) return removed
}

/** The row stays locked while the file is deleted, so that nobody adopts it meanwhile. */
async function removeOne(
  pool: Pool,
  findStorage: (name: string) => FileStorage,
  now: Date,
): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<StoredFile>(
      `SELECT storage, location FROM stray_files WHERE remove_at <= $1 ORDER BY remove_at LIMIT 1
       FOR UPDATE SKIP LOCKED`,
      [now],
    )
    const [stray] = rows
    if (!stray) return false
    const isGone = await findStorage(stray.storage)
      .remove(stray.location)
      .then(
        () => true,
        () => false,
      )
    await client.query(
      isGone
        ? 'DELETE FROM stray_files WHERE storage = $1 AND location = $2'
        : 'UPDATE stray_files SET remove_at = $3 WHERE storage = $1 AND location = $2',
      [stray.storage, stray.location, ...(isGone ? [] : [new Date(now.getTime() + HOUR_MS)])],
    )
    return true
  })
}

/** The URL where browsers and clients get a file, without a credential, valid for a day or two. */
export const fileUrl = (file: { id: string; workspace_id: string }, now: Date): string =>
  `${env().APP_URL.replace(/\/$/, '')}/files/${fileToken({ file_id: file.id, workspace_id: file.workspace_id }, now.getTime(), keyFor('files'))}`

/** The file behind a URL; null for an invalid or expired URL, and for a file that is gone. */
export async function openFile(token: string, now: Date) {
  const ids = readFileToken(token, now.getTime(), keyFor('files'))
  if (!ids) return null
  const { file_id, workspace_id } = ids
  const file =
    (await db.socialPostAttachment.findFirst({ where: { id: file_id, workspace_id } })) ??
    (await db.attachment.findFirst({ where: { attachment_id: file_id, workspace_id } }))
  const bytes = file && (await fileStorage(file.storage).read(file.location))
  return bytes ? { ...file, bytes } : null
}
