import type { ReactNode } from 'react'
import { z } from 'zod'
import type { OthersWork } from '#components/lists/row-lock'
import { type Lock, LockProvider } from '#components/ui/controls/lock'
import { ReadAccount } from '#lib/contracts/workspaces/account'
import { type Judged, neededRole, roleRefusal } from '#lib/contracts/workspaces/roles'
import { requireUser, type SignedIn } from '#lib/http/session'
import { listAdmins } from '#lib/services/workspaces/memberships'
import { findOthers, whyNotOwn } from '#lib/services/workspaces/own-rows'

/** Why the signed-in user may not do this, and whom to ask; null if their role is sufficient. */
export async function findLock(changes: Judged): Promise<Lock | null> {
  const { workspace_id, role } = await requireUser(ReadAccount)
  if (roleRefusal(role, changes) === null) return null
  const reason = `Your role here is ${role}. To change this, you need the role ${neededRole(changes)} or higher.`
  return { reason, people: await listAdmins(workspace_id) }
}

type Props = { changes: Judged; children: ReactNode }

/** A section of pages and the operation that changes it. For users who may not call it every control tells whom to ask. */
export async function SectionLock({ changes, children }: Props) {
  return <LockProvider lock={await findLock(changes)}>{children}</LockProvider>
}

type Work = Parameters<typeof whyNotOwn>[1]

/** The same for members, for an object that another member owns. */
export async function findWorkLock(work: Work): Promise<Lock | null> {
  const user = await requireUser(ReadAccount)
  const isId = z.uuid().safeParse(work.id).success
  const reason = isId ? await whyNotOwn(user, work) : null
  return reason === null ? null : { reason, people: await listAdmins(user.workspace_id), isOthersWork: true }
}

/** Wraps the pages of one object. For members who did not create it, every control says whom to ask. */
export async function WorkLock({ work, children }: { work: Work; children: ReactNode }) {
  const lock = await findWorkLock(work)
  return lock ? <LockProvider lock={lock}>{children}</LockProvider> : children
}

/** The same for a list whose rows may be somebody else's; null if the user may change all of them. */
export async function findOthersWork(
  user: SignedIn,
  name: Parameters<typeof findOthers>[1],
  shown: string[],
): Promise<OthersWork | null> {
  const others = await findOthers(user, name, shown)
  if (others === null) return null
  const { ids, reason } = others
  return { ids, lock: { reason, people: await listAdmins(user.workspace_id), isOthersWork: true } }
}
