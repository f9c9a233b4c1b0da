import { AuthorizeMailbox, CompleteMailboxOAuth, ReadMailVendors } from '#lib/contracts/senders/mailbox-oauth'
import { operation } from '#lib/operations/operation'
import * as connect from '#lib/services/senders/grants/connect'
import * as vendors from '#lib/services/senders/grants/vendors'

export const readMailVendors = operation(ReadMailVendors, async () => vendors.readMailVendors())
export const authorizeMailbox = operation(AuthorizeMailbox, ({ user, body, now }) =>
  connect.authorizeMailbox(user, body, now),
)
export const completeMailboxOAuth = operation(CompleteMailboxOAuth, ({ user, body, now }) =>
  connect.completeMailboxOAuth(user, body, now),
)
