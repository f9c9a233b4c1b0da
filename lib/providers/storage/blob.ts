import { type FileStorage, isKey, StorageTrouble } from '#lib/providers/storage/port'

type Options = {
  token: string
  /** As the store was made. Of a public one the address of a file opens it without a token; nobody is told it. */
  access: 'public' | 'private'
}

const TIMEOUT_MS = 30_000

/** Read when it is needed: it takes 20 MB, and most instances keep their files in a folder. */
const client = () => import('@vercel/blob')

/** Vercel Blob. Files are read by this instance and passed on, whatever the store's access: owners never see its address. */
export function createBlobStorage({ token, access }: Options): FileStorage {
  const limited = () => ({ token, abortSignal: AbortSignal.timeout(TIMEOUT_MS) })
  return {
    name: 'blob',
    async put(key, bytes, contentType) {
      if (!isKey(key)) throw new StorageTrouble(`"${key}" is no key of a file.`)
      const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      const { put } = await client()
      await asked(() => put(key, body, { ...limited(), access, contentType, allowOverwrite: true }))
      return { location: key }
    },
    async read(location) {
      const { head, BlobNotFoundError } = await client()
      const blob = await asked(() =>
        head(location, limited()).catch((error: unknown) => {
          if (error instanceof BlobNotFoundError) return null
          throw error
        }),
      )
      if (!blob) return null
      const response = await asked(() =>
        fetch(blob.url, {
          headers: { authorization: `Bearer ${token}` },
          signal: AbortSignal.timeout(TIMEOUT_MS),
        }),
      )
      if (response.status === 404) return null
      if (!response.ok) throw new StorageTrouble(`The blob store answered ${response.status}.`)
      return new Uint8Array(await asked(() => response.arrayBuffer()))
    },
    async remove(location) {
      const { del } = await client()
      await asked(() => del(location, limited()))
    },
  }
}

async function asked<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    throw new StorageTrouble(cause instanceof Error ? cause.message : String(cause), { cause })
  }
}
