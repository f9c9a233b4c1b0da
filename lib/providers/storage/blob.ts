import { type FileStorage, isKey, StorageTrouble, UPLOAD_TYPE } from '#lib/providers/storage/port'

type Options = {
  token: string
  /** As the store was created. In a public store, a file's URL opens it without a token; it is never given out. */
  access: 'public' | 'private'
}

const TIMEOUT_MS = 30_000
/** The store's API, which also accepts uploads. */
const API_PREFIX = 'https://vercel.com/api/blob/'

/** Loaded when needed: it takes 20 MB, and most instances keep their files in a folder. */
const client = () => import('@vercel/blob')

/** Vercel Blob. This instance reads the files and passes them on, whatever the store's access: owners never see its URLs. */
export function createBlobStorage({ token, access }: Options): FileStorage {
  const limited = () => ({ token, abortSignal: AbortSignal.timeout(TIMEOUT_MS) })
  async function open(location: string): Promise<Response | null> {
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
    return response
  }
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
      const response = await open(location)
      return response && new Uint8Array(await asked(() => response.arrayBuffer()))
    },
    stream: async (location) => (await open(location))?.body ?? null,
    async remove(location) {
      const { del } = await client()
      await asked(() => del(location, limited()))
    },
    incoming: {
      by: 'address',
      prefix: API_PREFIX,
      async sign(key, { max_bytes, until }) {
        if (!isKey(key)) throw new StorageTrouble(`"${key}" is no key of a file.`)
        const { issueSignedToken, presignUrl } = await client()
        const allowed = { allowedContentTypes: [UPLOAD_TYPE], maximumSizeInBytes: max_bytes }
        const scope = { pathname: key, validUntil: until.getTime(), ...allowed }
        const { presignedUrl } = await asked(async () => {
          const signed = await issueSignedToken({ ...limited(), ...scope, operations: ['put'] })
          return presignUrl(signed, { ...scope, access, operation: 'put', allowOverwrite: false })
        })
        const headers = {
          'content-type': UPLOAD_TYPE,
          'x-content-type': UPLOAD_TYPE,
          'x-vercel-blob-access': access,
        }
        return { url: presignedUrl, headers }
      },
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
