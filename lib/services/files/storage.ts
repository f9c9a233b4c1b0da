import path from 'node:path'
import { env } from '#lib/env'
import { createBlobStorage } from '#lib/providers/storage/blob'
import { createDiskStorage } from '#lib/providers/storage/disk'
import type { FileStorage } from '#lib/providers/storage/port'
import { createS3Storage } from '#lib/providers/storage/s3'

const made = new Map<string, FileStorage>()

type Name = FileStorage['name']

/** Each storage that the environment configures; the folder is always available. */
const makers: Record<Name, () => FileStorage | null> = {
  s3: () => {
    const {
      S3_BUCKET,
      S3_ENDPOINT,
      S3_REGION,
      S3_ACCESS_KEY_ID,
      S3_SECRET_ACCESS_KEY,
      S3_DIRECT_UPLOADS,
      ...aws
    } = env()
    if (!S3_BUCKET) return null
    const isOwn = S3_ACCESS_KEY_ID !== undefined
    return createS3Storage({
      bucket: S3_BUCKET,
      endpoint: S3_ENDPOINT,
      region: S3_REGION ?? aws.AWS_REGION ?? 'us-east-1',
      access_key_id: needed('S3_ACCESS_KEY_ID', S3_ACCESS_KEY_ID ?? aws.AWS_ACCESS_KEY_ID),
      secret_access_key: needed('S3_SECRET_ACCESS_KEY', S3_SECRET_ACCESS_KEY ?? aws.AWS_SECRET_ACCESS_KEY),
      direct_uploads: S3_DIRECT_UPLOADS,
      session_token: isOwn ? undefined : aws.AWS_SESSION_TOKEN,
    })
  },
  blob: () => {
    const { BLOB_READ_WRITE_TOKEN, BLOB_ACCESS } = env()
    return BLOB_READ_WRITE_TOKEN
      ? createBlobStorage({ token: BLOB_READ_WRITE_TOKEN, access: BLOB_ACCESS })
      : null
  },
  disk: () => {
    const { DATA_DIR, FILES_DIR } = env()
    return createDiskStorage(FILES_DIR ?? path.join(/* turbopackIgnore: true */ DATA_DIR, 'files'))
  },
}

function needed(name: string, value: string | undefined): string {
  if (!value) throw new Error(`S3_BUCKET is set, and ${name} is not.`)
  return value
}

const WHERE: Record<Name, string> = {
  s3: 'a bucket of S3, and S3_BUCKET is not set',
  blob: 'Vercel Blob, and BLOB_READ_WRITE_TOKEN is not set',
  disk: 'a folder',
}

const isName = (name: string): name is Name => name in makers

/**
 * The storage of a name; without one, the storage for new files: an S3 bucket or a Vercel Blob store if configured, else FILES_DIR or a
 * folder of DATA_DIR. Files in the other storages stay readable as long as those are configured.
 */
export function fileStorage(name?: string): FileStorage {
  const { S3_BUCKET, BLOB_READ_WRITE_TOKEN } = env()
  const wanted = name ?? (S3_BUCKET ? 's3' : BLOB_READ_WRITE_TOKEN ? 'blob' : 'disk')
  const known = made.get(wanted)
  if (known) return known
  const storage = isName(wanted) ? makers[wanted]() : null
  if (!storage) throw new Error(`A file is stored in ${isName(wanted) ? WHERE[wanted] : wanted}.`)
  made.set(wanted, storage)
  return storage
}

/** The prefix of upload URLs if they lead to another host. */
export function uploadPrefix(): string | undefined {
  const { incoming } = fileStorage()
  return incoming.by === 'address' ? incoming.prefix : undefined
}
