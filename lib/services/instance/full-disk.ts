import { AppError } from '#lib/errors'

const DISK_FULL = '53100'

/** What is told to whoever asks for what finds no room on the disk of the database; any other error as it is. */
export function toldIfFull(error: unknown): unknown {
  if (!saysFull(error)) return error
  const message = 'The disk of this instance is full. Try again once there is room.'
  return new AppError('storage_unavailable', { message, cause: error })
}

/** The driver says it by its code, and what is built on it has that somewhere below. */
function saysFull(error: unknown, depth = 0): boolean {
  if (typeof error !== 'object' || error === null || depth > 5) return false
  if ('code' in error && error.code === DISK_FULL) return true
  if ('originalCode' in error && error.originalCode === DISK_FULL) return true
  const below = [
    'cause' in error && error.cause,
    'meta' in error && error.meta,
    'driverAdapterError' in error && error.driverAdapterError,
  ]
  return below.some((one) => saysFull(one, depth + 1))
}
