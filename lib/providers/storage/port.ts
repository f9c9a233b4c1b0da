/** One upload: the URL for the bytes, and the headers to send with them. */
export type UploadAddress = { url: string; headers: Record<string, string> }

/** What an upload URL accepts, from now until then. */
export type Allowed = { max_bytes: number; now: Date; until: Date }

/**
 * How files arrive that are larger than a request may be: at a URL that the storage signs for one file of a given size and time,
 * or through this instance if the storage has no such URLs or its owner has not enabled them.
 */
export type Incoming =
  | {
      by: 'address'
      /** The beginning of its URLs, for the content security policy of the pages that upload there. */
      prefix: string
      sign(key: string, allowed: Allowed): Promise<UploadAddress>
    }
  | {
      by: 'us'
      /** Stores the parts as they arrive; false if the file already exists. An error thrown by `parts` is thrown on. */
      take(key: string, parts: AsyncIterable<Uint8Array>): Promise<boolean>
    }

/** The type of all uploads, whatever they contain: they are never served. */
export const UPLOAD_TYPE = 'application/octet-stream'

/** Where files are stored. We create the keys, of [a-z0-9/.-] only; a key says nothing about its owner. */
export interface FileStorage {
  readonly name: 'blob' | 'disk' | 's3'
  /** Returns the location; the same key twice is the same file. */
  put(key: string, bytes: Uint8Array, content_type: string): Promise<{ location: string }>
  /** Null if there is no such file, or no longer. */
  read(location: string): Promise<Uint8Array<ArrayBuffer> | null>
  /** The same in parts, for files that may be larger than they claim. */
  stream(location: string): Promise<AsyncIterable<Uint8Array> | null>
  /** Succeeds if the file is already gone. */
  remove(location: string): Promise<void>
  readonly incoming: Incoming
}

/** The storage refused or could not be reached; `message` is for the log. */
export class StorageTrouble extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'StorageTrouble'
  }
}

const KEY = /^[a-z0-9][a-z0-9-]*(?:\/[a-z0-9][a-z0-9-]*)*\.[a-z0-9]+$/

/** Whether a text is a valid key: no parent folder, no absolute path, nothing hidden. */
export const isKey = (key: string): boolean => key.length <= 200 && KEY.test(key)
