import { AppError } from '#lib/errors'

const DISK_FULL = '53100'

/** Replaces a disk-full error of the database by one for the caller; returns other errors unchanged. */
export function toldIfFull(error: unknown): unknown {
  if (!saysFull(error)) return error
  const message = 'The disk of this instance is full. Try again once there is room.'
  return new AppError('storage_unavailable', { message, cause: error })
}

/** Looks for the driver's error code, also in errors that wrap it. */
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
