import { db } from '#lib/db/client'
import { AppError } from '#lib/errors'

const VERSION = '0.1.0'
/** Due work that waits longer than this has nobody who does it. */
const LAG_MS = 3 * 60_000

/** What works, and what only in part. `provider_unavailable` (503) where the database cannot be reached. */
export async function readHealth(now: Date) {
  const late = await db.campaign
    .count({
      where: {
        status: { in: ['active', 'draining'] },
        next_slot_at: { lt: new Date(now.getTime() - LAG_MS) },
      },
    })
    .catch((cause: unknown) => {
      throw new AppError('provider_unavailable', { message: 'The database cannot be reached.', cause })
    })
  const degraded =
    late === 0
      ? []
      : [
          {
            part: 'dispatch',
            message: `${late} campaigns wait for the background functions, which seem not to run.`,
          },
        ]
  return {
    status: degraded.length > 0 ? ('degraded' as const) : ('ok' as const),
    version: VERSION,
    time: now,
    degraded,
  }
}
