import { randomUUID } from 'node:crypto'

/** UUIDv7 (RFC 9562, section 5.7) for rows whose id must be known before they are written. */
export function uuidv7(now: Date): string {
  const time = now.getTime().toString(16).padStart(12, '0')
  // Takes variant and random bits from a version 4 UUID, of which Node generates many per call to the kernel.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}
