import { isStopping } from '#lib/services/instance/stopping'
import { noteSweep } from '#lib/services/instance/sweeps'
import { mailProvider } from '#lib/services/senders/mail-provider'
import { dispatchDue } from '#lib/services/sending/run'

/** One call of a background function stays well below the time that a host gives it. */
const ROUND_MS = 20_000

/**
 * Dispatches for a while. Answers when to come back before `until` (ISO), or null: then the sweep of the next minute is
 * soon enough, or there is nothing to come back for. A lease that runs out is worth coming back for, too: its worker may
 * have died, and the leads whose mail it had wait for the verdict.
 */
export async function dispatchRound(until: Date): Promise<{ offered: number; wake_at: string | null }> {
  const started = Date.now()
  await noteSweep('dispatch', new Date(started))
  const end = new Date(Math.min(until.getTime(), started + ROUND_MS))
  const { offered, next_slot_at, next_lease_end } = await dispatchDue({
    mail: mailProvider(),
    clock: () => new Date(),
    until: end,
    stopping: isStopping,
  })
  const moments = [next_slot_at, next_lease_end && new Date(next_lease_end.getTime() + 1)]
  const wake = moments.flatMap((moment) => (moment ? [moment.getTime()] : [])).sort((a, b) => a - b)[0]
  if (wake === undefined) return { offered, wake_at: null }
  // Past `until` nothing is claimed any more: one that came back for a slot that is due would come back for ever.
  const next = Math.max(wake, Date.now())
  return { offered, wake_at: next < until.getTime() ? new Date(next).toISOString() : null }
}
