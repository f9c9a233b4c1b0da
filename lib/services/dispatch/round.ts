import { dispatchDue } from '#lib/services/dispatch/run'
import { mailProvider } from '#lib/services/mail-provider'

/** One call of a background function stays well below the time that a host gives it. */
const ROUND_MS = 20_000

/**
 * Dispatches for a while. Answers when to come back before `until` (ISO), or null: then the sweep of the next minute is
 * soon enough, or there is nothing to come back for.
 */
export async function dispatchRound(until: Date): Promise<{ offered: number; wake_at: string | null }> {
  const started = Date.now()
  const end = new Date(Math.min(until.getTime(), started + ROUND_MS))
  const { offered, next_slot_at } = await dispatchDue({
    mail: mailProvider(),
    clock: () => new Date(),
    until: end,
  })
  const wakes = next_slot_at !== null && next_slot_at < until
  return {
    offered,
    wake_at: wakes ? new Date(Math.max(next_slot_at.getTime(), Date.now())).toISOString() : null,
  }
}
