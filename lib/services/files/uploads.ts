import { randomUUID } from 'node:crypto'
import { db } from '#lib/db/client'
import type { Prisma, PrismaClient } from '#lib/db/generated/client'
import type { UploadedFileModel } from '#lib/db/generated/models'
import { keyFor } from '#lib/db/seal'
import { readUploadToken, uploadToken } from '#lib/domain/tokens/upload-token'
import { env } from '#lib/env'
import { AppError } from '#lib/errors'
import {
  type FileStorage,
  StorageTrouble,
  UPLOAD_TYPE,
  type UploadAddress,
} from '#lib/providers/storage/port'
import { fileStorage } from '#lib/services/files/storage'
import type { Incoming } from '#lib/services/files/working-copy'

const MINUTE_MS = 60_000
/** How long an upload URL is valid: a slow connection needs some minutes for the largest files. */
const ADDRESS_MS = 30 * MINUTE_MS
/** How long a file is kept for its import. */
const KEPT_MS = 120 * MINUTE_MS
/** Most pending files per owner, so that nobody fills the storage. */
const MOST_WAITING = 20

const KEY = 'uploads'

type Announced = { filename: string; size_bytes: number }

/** Creates a URL that accepts one file of a given size for half an hour, and the id that the file has from then on. */
export async function createUpload(workspace_id: string, announced: Announced, now: Date) {
  const file = await db.$transaction(async (tx) => {
    await checkWaiting(tx, workspace_id, now)
    return announceUpload(tx, { workspace_id, ...announced }, now)
  })
  return uploadAddress(file, now)
}

/** Records an announced file, for a dataset unless another purpose is given. */
export const announceUpload = (
  tx: Prisma.TransactionClient,
  file: Announced & { workspace_id: string; import_id?: string },
  now: Date,
): Promise<UploadedFileModel> =>
  tx.uploadedFile.create({
    data: {
      ...file,
      storage: fileStorage().name,
      location: `uploads/${randomUUID()}.bin`,
      put_until: new Date(now.getTime() + ADDRESS_MS),
      expires_at: new Date(now.getTime() + KEPT_MS),
      created_at: now,
    },
  })

/** The URL to upload an announced file to. */
export async function uploadAddress(file: UploadedFileModel, now: Date) {
  const { upload_id, put_until } = file
  const { url, headers } = await addressFor(fileStorage(file.storage), file, { now, until: put_until })
  return { upload_id, method: 'PUT' as const, url, headers, put_until }
}

/** Stores a file that is already here, to wait for its import like an uploaded one. */
export const keepFetched = (workspace_id: string, file: Fetched, now: Date) =>
  stored(workspace_id, file, now, async (tx, announce) => {
    await checkWaiting(tx, workspace_id, now)
    const { upload_id, filename, size_bytes } = await announce()
    return { upload_id, filename, size_bytes }
  })

/** Stores a file together with its dataset, which `make` writes in the same transaction. */
export const adoptFetched = <Made extends { dataset_id: string }>(
  workspace_id: string,
  file: Fetched,
  now: Date,
  make: (tx: Prisma.TransactionClient) => Promise<Made>,
): Promise<Made> =>
  stored(workspace_id, file, now, async (tx, announce) => {
    const made = await make(tx)
    const { upload_id } = await announce()
    await adoptUpload(tx, { workspace_id, upload_id, dataset_id: made.dataset_id })
    return made
  })

type Fetched = { filename: string; bytes: Uint8Array }

/** Puts a file into the storage, and removes it again if the transaction that records it fails. */
async function stored<Answer>(
  workspace_id: string,
  { filename, bytes }: Fetched,
  now: Date,
  write: (tx: Prisma.TransactionClient, announce: () => Promise<UploadedFileModel>) => Promise<Answer>,
): Promise<Answer> {
  const storage = fileStorage()
  const key = `uploads/${randomUUID()}.bin`
  const { location } = await unlessTrouble(() => storage.put(key, bytes, UPLOAD_TYPE))
  try {
    return await db.$transaction((tx) =>
      write(tx, async () => {
        const kept = await announceUpload(tx, { workspace_id, filename, size_bytes: bytes.length }, now)
        // The upload URL is closed: the file is already there.
        return tx.uploadedFile.update({
          where: { upload_id: kept.upload_id },
          data: { location, put_until: now },
        })
      }),
    )
  } catch (error) {
    await discardUploaded({ storage: storage.name, location })
    throw error
  }
}

/** Serialized by a lock on the workspace, so that concurrent requests count each other's files. */
async function checkWaiting(tx: Prisma.TransactionClient, workspaceId: string, now: Date): Promise<void> {
  await tx.$queryRaw`SELECT 1 FROM workspaces WHERE workspace_id = ${workspaceId}::uuid FOR NO KEY UPDATE`
  const waiting = await tx.uploadedFile.count({
    where: { workspace_id: workspaceId, dataset_id: null, import_id: null, expires_at: { gt: now } },
  })
  if (waiting < MOST_WAITING) return
  throw new AppError('rate_limited', {
    message: `${MOST_WAITING} files are waiting to be imported. Import one, or wait: they are removed after two hours.`,
    retryAfterSeconds: 600,
  })
}

type Made = { upload_id: string; location: string; size_bytes: number }

async function addressFor(
  storage: FileStorage,
  file: Made,
  { now, until }: { now: Date; until: Date },
): Promise<UploadAddress> {
  const { incoming } = storage
  if (incoming.by === 'us') {
    const token = uploadToken(file.upload_id, until.getTime(), keyFor(KEY))
    const url = `${env().APP_URL.replace(/\/$/, '')}/files/uploads/${token}`
    return { url, headers: { 'content-type': UPLOAD_TYPE } }
  }
  return unlessTrouble(() => incoming.sign(file.location, { max_bytes: file.size_bytes, now, until }))
}

/**
 * Receives a file at an upload URL of this instance, streamed, up to the announced size. `read` yields at most that many bytes and throws
 * beyond.
 */
export async function receiveUpload(
  token: string,
  read: (limit: number) => AsyncIterable<Uint8Array>,
  now: Date,
): Promise<void> {
  const upload_id = readUploadToken(token, now.getTime(), keyFor(KEY))
  const file = upload_id && (await db.uploadedFile.findFirst({ where: { upload_id, dataset_id: null } }))
  const incoming = file ? fileStorage(file.storage).incoming : null
  if (!file || incoming?.by !== 'us') throw new AppError('grant_invalid')
  const isTaken = await unlessTrouble(() => incoming.take(file.location, read(file.size_bytes)))
  if (!isTaken) throw new AppError('grant_invalid', { message: 'This upload address was already used.' })
}

/** A file that waits for its import. */
export async function openUpload(workspaceId: string, uploadId: string, now: Date): Promise<Incoming> {
  const file = await db.uploadedFile.findFirst({
    where: {
      upload_id: uploadId,
      workspace_id: workspaceId,
      dataset_id: null,
      import_id: null,
      expires_at: { gt: now },
    },
  })
  if (!file) throw new AppError('upload_not_found')
  const incoming = await openUploaded(file)
  if (!incoming) throw new AppError('upload_missing')
  return incoming
}

type Kept = { storage: string; location: string; size_bytes: number }

/** The stored file, streamed up to the announced size. Null if nothing was uploaded or the file is gone. */
export async function openUploaded(file: Kept & { filename: string }): Promise<Incoming | null> {
  const parts = await unlessTrouble(() => fileStorage(file.storage).stream(file.location))
  if (!parts) return null
  return {
    filename: file.filename,
    parts: readUpTo(file.size_bytes, readUntroubled(parts)),
  }
}

async function* readUpTo(limit: number, parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const part of parts) {
    size += part.byteLength
    if (size > limit) throw new AppError('body_too_large', { message: 'The file is larger than announced.' })
    yield part
  }
}

/** A storage that fails in the middle is reported as unavailable, like one that was never reached. */
async function* readUntroubled(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* parts
  } catch (cause) {
    throw new AppError('storage_unavailable', { message: 'The file could not be read. Try again.', cause })
  }
}

/** Assigns the file to a dataset, in the transaction that creates it; nothing else can use the file then. */
export async function adoptUpload(
  tx: Pick<PrismaClient, 'uploadedFile'>,
  of: { workspace_id: string; upload_id: string; dataset_id: string },
): Promise<void> {
  const { workspace_id, upload_id, dataset_id } = of
  const { count } = await tx.uploadedFile.updateMany({
    where: { upload_id, workspace_id, dataset_id: null, import_id: null },
    data: { dataset_id },
  })
  if (count === 0) throw new AppError('upload_not_found')
}

/** Uses up the file, in the transaction that writes what was made of it: from then on it is a stray. */
export async function useUpUpload(
  tx: Pick<PrismaClient, 'uploadedFile'>,
  { workspace_id, upload_id }: { workspace_id: string; upload_id: string },
): Promise<void> {
  const { count } = await tx.uploadedFile.deleteMany({
    where: { upload_id, workspace_id, dataset_id: null, import_id: null },
  })
  if (count === 0) throw new AppError('upload_not_found')
}

/** Deletes a file at once. Its database row is already gone, so if the storage is unavailable, the file is only deleted later. */
export async function discardUploaded({ storage, location }: Omit<Kept, 'size_bytes'>): Promise<void> {
  await fileStorage(storage)
    .remove(location)
    .catch((error: unknown) => {
      if (!(error instanceof StorageTrouble)) throw error
    })
}

/** Removes the records of files that nobody imported; they are strays from then on. Returns how many. */
export async function forgetUploads(now: Date): Promise<number> {
  const { count } = await db.uploadedFile.deleteMany({
    where: { dataset_id: null, expires_at: { lte: now } },
  })
  return count
}

async function unlessTrouble<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (!(cause instanceof StorageTrouble)) throw cause
    throw new AppError('storage_unavailable', { cause })
  }
}
