import { GivenTo } from '#components/senders/given-to'
import { GiveMailbox, ListMailboxMembers } from '#lib/contracts/senders/sender-members'
import { roleRefusal } from '#lib/contracts/workspaces/roles'
import type { SignedIn } from '#lib/http/session'
import { listSenderMembers, MAILBOX } from '#lib/services/senders/sender-members'
import { membersWithout } from '../../given-to.ts'
import { giveMailbox, takeMailbox } from '../actions.ts'

/** The members who use this mailbox, and those to whom it can be assigned. */
export async function MailboxMembers({ user, mailbox_id }: { user: SignedIn; mailbox_id: string }) {
  const sender = { workspace_id: user.workspace_id, id: mailbox_id }
  const listed = await listSenderMembers(MAILBOX, sender, { page: 1, page_size: 100 })
  const { items: given } = ListMailboxMembers.response.parse(listed)
  const mayGive = roleRefusal(user.role, GiveMailbox) === null
  return (
    <GivenTo
      noun="mailbox"
      given={given}
      others={await membersWithout(user, given)}
      actions={
        mayGive
          ? { give: giveMailbox.bind(null, mailbox_id), take: takeMailbox.bind(null, mailbox_id) }
          : null
      }
    />
  )
}
