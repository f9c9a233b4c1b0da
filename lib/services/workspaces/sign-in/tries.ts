import { AppError } from '#lib/errors'
import { takeToken } from '#lib/services/instance/rate-limits'

/** Takes one of the attempts per minute. Returns how long to wait if none is left. */
export async function takeTry(bucket: string, perMinute: number, now: Date): Promise<void> {
  if ((await takeToken(bucket, perMinute, now)) >= 0) return
  const seconds = Math.ceil(60 / perMinute)
  throw new AppError('rate_limited', {
    message: `Too many attempts. Try again in ${seconds} seconds.`,
    retryAfterSeconds: seconds,
  })
}
