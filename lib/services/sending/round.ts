import { roundEnd } from '#lib/services/instance/round-time'
import { isStopping } from '#lib/services/instance/stopping'
import { noteSweep } from '#lib/services/instance/sweeps'
import { mailProvider } from '#lib/services/senders/mail-provider'
import { type DispatchOptions, dispatchDue } from '#lib/services/sending/run'

/** Dispatches for a limited time. Tells whether that ran out before everything due was sent. */
export async function dispatchRound(
  { read, find }: Pick<DispatchOptions, 'read' | 'find'> = {},
  until = roundEnd(new Date()),
): Promise<{ offered: number; goes_on: boolean }> {
  await noteSweep('dispatch', new Date())
  const { offered, next_slot_at } = await dispatchDue({
    mail: mailProvider(),
    ...(read && { read }),
    ...(find && { find }),
    clock: () => new Date(),
    until,
    stopping: isStopping,
  })
  const now = new Date()
  return { offered, goes_on: now >= until && next_slot_at !== null && next_slot_at <= now }
}
