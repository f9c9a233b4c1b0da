/** Of one upload: where the bytes are put, and the headers that go with them. */
export type UploadAddress = { url: string; headers: Record<string, string> }

/** What an address takes, from now on until then. */
export type Allowed = { max_bytes: number; now: Date; until: Date }

/**
 * How files come in that are larger than a request may be: to an address that the storage signs for one file of so many
 * bytes until then, or, where the storage has no door of its own that its owner has opened, through ours.
 */
export type Incoming =
  | {
      by: 'address'
      /** What its addresses begin with, for the policy of the pages that upload there. */
      prefix: string
      sign(key: string, allowed: Allowed): Promise<UploadAddress>
    }
  | {
      by: 'us'
      /** Keeps the parts as they come; false where there is such a file already. Whatever `parts` throws is thrown on. */
      take(key: string, parts: AsyncIterable<Uint8Array>): Promise<boolean>
    }

/** What uploads are called on their way, whatever is in them: nobody is ever served one. */
export const UPLOAD_TYPE = 'application/octet-stream'

/** Where files lie. A key is made by us, of [a-z0-9/.-] only, and says nothing of its owner. */
export interface FileStorage {
  readonly name: 'blob' | 'disk' | 's3'
  /** Answers where it lies; the same key twice is the same file. */
  put(key: string, bytes: Uint8Array, content_type: string): Promise<{ location: string }>
  /** Null where no such file is, or no longer. */
  read(location: string): Promise<Uint8Array<ArrayBuffer> | null>
  /** The same in parts, for what may be larger than it claims. */
  stream(location: string): Promise<AsyncIterable<Uint8Array> | null>
  /** One that is gone already is fine. */
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

/** Whether a text may be a key: no way up, no root, nothing hidden. */
export const isKey = (key: string): boolean => key.length <= 200 && KEY.test(key)
