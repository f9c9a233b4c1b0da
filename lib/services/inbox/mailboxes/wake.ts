import { pool } from '#lib/db/client'
import { InboundArrived } from '#lib/events/catalog'
import { emit } from '#lib/events/client'

/** New mail arrived: the mailbox is read at once, or at the next bell if the engine cannot be reached. */
export async function wakeReading(mailboxId: string): Promise<void> {
  if (await emit(InboundArrived.create({ mailbox_id: mailboxId }))) return
  await pool().query('UPDATE mailboxes SET inbox_due_at = least(inbox_due_at, $2) WHERE mailbox_id = $1', [
    mailboxId,
    new Date(),
  ])
}
