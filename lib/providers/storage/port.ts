/** Where files lie. A key is made by us, of [a-z0-9/.-] only, and says nothing of its owner. */
export interface FileStorage {
  readonly name: 'blob' | 'disk' | 's3'
  /** Answers where it lies; the same key twice is the same file. */
  put(key: string, bytes: Uint8Array, content_type: string): Promise<{ location: string }>
  /** Null where no such file is, or no longer. */
  read(location: string): Promise<Uint8Array<ArrayBuffer> | null>
  /** One that is gone already is fine. */
  remove(location: string): Promise<void>
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
