import { pool } from '#lib/db/client'
import { env } from '#lib/env'
import { InboundArrived } from '#lib/events/catalog'
import { emit } from '#lib/events/client'
import { processState } from '#lib/process-state'
import { createImapListener } from '#lib/providers/inbox/idle'
import { createIdleKeeper, type IdleKeeper } from '#lib/services/inbox/idling/keeper'

const kept = processState('idling', (): { is_allowed: boolean; keeper?: IdleKeeper } => ({
  is_allowed: false,
}))

/** A process that stays may listen to inboxes. A function of a host that ends, or is frozen, between its calls never says so. */
export function allowIdling(): void {
  kept.is_allowed = true
}

/** Once a round has read mailboxes: what it reached can be listened to. */
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

/** Before the process ends: others may listen at once. */
export async function stopIdling(): Promise<void> {
  kept.is_allowed = false
  await kept.keeper?.stop()
}

/** The mailbox is read at once; where the engine does not hear of it, at the next bell. */
async function wakeReading(mailboxId: string): Promise<void> {
  if (await emit(InboundArrived.create({ mailbox_id: mailboxId }))) return
  await pool().query('UPDATE mailboxes SET inbox_due_at = least(inbox_due_at, $2) WHERE mailbox_id = $1', [
    mailboxId,
    new Date(),
  ])
}
