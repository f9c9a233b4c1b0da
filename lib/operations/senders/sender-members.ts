import {
  GiveAccount,
  GiveMailbox,
  ListAccountMembers,
  ListMailboxMembers,
  TakeAccount,
  TakeMailbox,
} from '#lib/contracts/senders/sender-members'
import { operation } from '#lib/operations/operation'
import * as service from '#lib/services/senders/sender-members'

const senderHere = ({ workspace_id }: { workspace_id: string }, id: string) => ({ workspace_id, id })

export const listMailboxMembers = operation(ListMailboxMembers, ({ user, params, query }) =>
  service.listSenderMembers(service.MAILBOX, senderHere(user, params.mailbox_id), query),
)
export const giveMailbox = operation(GiveMailbox, ({ user, params }) =>
  service.giveSender(service.MAILBOX, senderHere(user, params.mailbox_id), params.user_id),
)
export const takeMailbox = operation(TakeMailbox, ({ user, params }) =>
  service.takeSender(service.MAILBOX, senderHere(user, params.mailbox_id), params.user_id),
)
export const listAccountMembers = operation(ListAccountMembers, ({ user, params, query }) =>
  service.listSenderMembers(service.ACCOUNT, senderHere(user, params.account_id), query),
)
export const giveAccount = operation(GiveAccount, ({ user, params }) =>
  service.giveSender(service.ACCOUNT, senderHere(user, params.account_id), params.user_id),
)
export const takeAccount = operation(TakeAccount, ({ user, params }) =>
  service.takeSender(service.ACCOUNT, senderHere(user, params.account_id), params.user_id),
)
