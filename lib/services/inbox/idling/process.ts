import { pool } from '#lib/db/client'
import { env } from '#lib/env'
import { processState } from '#lib/process-state'
import { createImapListener } from '#lib/providers/inbox/idle'
import { createIdleKeeper, type IdleKeeper } from '#lib/services/inbox/idling/keeper'
import { wakeReading } from '#lib/services/inbox/mailboxes/wake'

const kept = processState('idling', (): { is_allowed: boolean; keeper?: IdleKeeper } => ({
  is_allowed: false,
}))

/** Called by long-running processes only: a serverless function that ends or is frozen between calls cannot listen. */
export function allowIdling(): void {
  kept.is_allowed = true
}

/** Called after a round of reads: mailboxes that were reached can be listened to. */
export async function listenOnwards(): Promise<void> {
  const { MAIL_IDLE_MAILBOXES: most, MAIL_HOST_CONNECTIONS: most_per_host } = env()
  if (!kept.is_allowed || most === 0) return
  kept.keeper ??= createIdleKeeper({
    pool: pool(),
    listen: createImapListener({ policy: { allow_private_hosts: env().ALLOW_PRIVATE_HOSTS } }),
    wake: wakeReading,
    clock: () => new Date(),
    most_per_host,
    most,
  })
  await kept.keeper.look()
}

/** Called before the process ends, so that others can listen at once. */
export async function stopIdling(): Promise<void> {
  kept.is_allowed = false
  await kept.keeper?.stop()
}
