import type { SenderMember } from '#lib/contracts/senders/sender-members'
import { ListMembers } from '#lib/contracts/workspaces/members'
import type { SignedIn } from '#lib/http/session'
import { listMembers } from '#lib/services/workspaces/members'

/** Members to whom a mailbox or an account can still be assigned. */
export async function membersWithout(user: SignedIn, given: SenderMember[]) {
  const all = await listMembers(user, user.workspace_id, { page: 1, page_size: 100 })
  const has = new Set(given.map(({ user_id }) => user_id))
  return ListMembers.response
    .parse(all)
    .items.filter(({ user_id, role }) => role === 'member' && !has.has(user_id))
}
