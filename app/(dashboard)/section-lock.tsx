import type { ReactNode } from 'react'
import { LockProvider } from '#components/ui/controls/lock'
import { ReadAccount } from '#lib/contracts/workspaces/account'
import { type Judged, neededRole, roleRefusal } from '#lib/contracts/workspaces/roles'
import { requireUser } from '#lib/http/session'
import { listAdmins } from '#lib/services/workspaces/memberships'

type Props = { changes: Judged; children: ReactNode }

/** A section of pages and the operation that changes it: whoever may not call that is told by every control whom to ask. */
export async function SectionLock({ changes, children }: Props) {
  const { workspace_id, role } = await requireUser(ReadAccount)
  const isLocked = roleRefusal(role, changes) !== null
  const reason = `You are a ${role} here. To change this you need at least the role ${neededRole(changes)}.`
  const lock = isLocked ? { reason, people: await listAdmins(workspace_id) } : null
  return <LockProvider lock={lock}>{children}</LockProvider>
}
