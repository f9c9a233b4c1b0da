import { randomUUID } from 'node:crypto'

/** UUIDv7 (RFC 9562, section 5.7) for rows whose id must be known before they are written. */
export function uuidv7(now: Date): string {
  const time = now.getTime().toString(16).padStart(12, '0')
  // Variant and random bits are a version 4's: of those Node keeps a stock, and asks the kernel once for many.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}
