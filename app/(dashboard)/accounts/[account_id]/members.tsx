import { GivenTo } from '#components/senders/given-to'
import { GiveAccount, ListAccountMembers } from '#lib/contracts/senders/sender-members'
import { roleRefusal } from '#lib/contracts/workspaces/roles'
import type { SignedIn } from '#lib/http/session'
import { ACCOUNT, listSenderMembers } from '#lib/services/senders/sender-members'
import { membersWithout } from '../../given-to.ts'
import { giveAccount, takeAccount } from '../actions.ts'

/** The members who use this account, and those to whom it can be assigned. */
export async function AccountMembers({ user, account_id }: { user: SignedIn; account_id: string }) {
  const sender = { workspace_id: user.workspace_id, id: account_id }
  const listed = await listSenderMembers(ACCOUNT, sender, { page: 1, page_size: 100 })
  const { items: given } = ListAccountMembers.response.parse(listed)
  const mayGive = roleRefusal(user.role, GiveAccount) === null
  return (
    <GivenTo
      noun="account"
      given={given}
      others={await membersWithout(user, given)}
      actions={
        mayGive
          ? { give: giveAccount.bind(null, account_id), take: takeAccount.bind(null, account_id) }
          : null
      }
    />
  )
}
