import { ReadMailboxHealth } from '#lib/contracts/senders/mailbox-health'
import { operation } from '#lib/operations/operation'
import { mailboxHealth } from '#lib/services/forecast/mailbox-health'

export const readMailboxHealth = operation(ReadMailboxHealth, ({ user, params, now }) =>
  mailboxHealth(user.workspace_id, params.mailbox_id, now),
)
