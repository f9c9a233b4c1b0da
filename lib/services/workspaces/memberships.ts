import { z } from 'zod'
import { db, pool } from '#lib/db/client'
import type { Tier, WorkspaceRole } from '#lib/db/generated/enums'
import { prepared } from '#lib/db/prepared'
import { AppError } from '#lib/errors'
import { JOIN_PAYER, TIER } from '#lib/services/workspaces/plans'

/** The workspace that somebody acts in, and their role in it. */
export type Membership = {
  workspace_id: string
  workspace_name: string
  role: WorkspaceRole
  tier: Tier
}

type Place = {
  /** Named by the request itself. */
  asked?: string | null | undefined
  /** The one shown by the requesting page, even if another was chosen in another tab since. */
  shown?: string | null | undefined
  /** Chosen earlier in this browser. */
  chosen?: string | null | undefined
}

const inOrder = [{ created_at: 'asc' as const }, { workspace_id: 'asc' as const }]

/** The memberships of user $1, or only that in workspace $2 if given. */
const MEMBERSHIPS = `SELECT m.workspace_id, m.role, w.name AS workspace_name, ${TIER} AS tier
  FROM members m JOIN workspaces w USING (workspace_id) ${JOIN_PAYER}
  WHERE m.user_id = $1 AND ($2::uuid IS NULL OR m.workspace_id = $2) ORDER BY m.created_at, m.workspace_id`

/**
 * The workspace that a user acts in: the one named by the request or its page, else the one chosen in the session, else the last one used,
 * else the first one joined. `workspace_not_found` if they are not a member of the named workspace, or of any.
 */
export async function findMembership(
  user: { user_id: string; last_workspace_id: string | null },
  { asked, shown, chosen }: Place = {},
): Promise<Membership> {
  const { user_id, last_workspace_id } = user
  const named = asked ?? shown ?? undefined
  if (named !== undefined && !z.uuid().safeParse(named).success) throw new AppError('workspace_not_found')
  const { rows: memberships } = await pool().query<Membership>(prepared(MEMBERSHIPS, [user_id, named]))
  const of = (id: string | null | undefined) => memberships.find(({ workspace_id }) => workspace_id === id)
  const membership = of(named) ?? of(chosen) ?? of(last_workspace_id) ?? memberships[0]
  if (!membership) throw new AppError('workspace_not_found')
  const { workspace_id } = membership
  if (asked && workspace_id !== last_workspace_id)
    await db.user.update({ where: { user_id }, data: { last_workspace_id: workspace_id } })
  return membership
}

/** Switches the browser's session to a workspace; `workspace_not_found` if its user is not a member. */
export async function chooseWorkspace(
  { user_id, session_id }: { user_id: string; session_id: string },
  workspaceId: string,
): Promise<void> {
  const workspace_id = workspaceId
  const member = await db.member.findUnique({ where: { workspace_id_user_id: { workspace_id, user_id } } })
  if (!member) throw new AppError('workspace_not_found')
  await db.userSession.updateMany({ where: { session_id, user_id }, data: { workspace_id } })
  await db.user.update({ where: { user_id }, data: { last_workspace_id: workspace_id } })
}

/** All memberships of a user, the earliest first. */
export async function listMemberships(userId: string) {
  const memberships = await db.member.findMany({
    where: { user_id: userId },
    orderBy: inOrder,
    select: { workspace_id: true, role: true, workspace: { select: { name: true, slug: true } } },
  })
  return memberships.map(({ workspace_id, role, workspace }) => ({ workspace_id, role, ...workspace }))
}

/** The id of the workspace with this name in URLs, if the user is a member. */
export async function workspaceOfSlug(userId: string, slug: string): Promise<string | null> {
  const member = await db.member.findFirst({ where: { user_id: userId, workspace: { slug } } })
  return member?.workspace_id ?? null
}

/** Admins to ask when one's role does not suffice, owners first. */
export async function listAdmins(workspaceId: string): Promise<{ name: string; email: string }[]> {
  const admins = await db.member.findMany({
    where: { workspace_id: workspaceId, role: { in: ['owner', 'admin'] } },
    orderBy: [{ role: 'asc' }, ...inOrder],
    select: { user: { select: { name: true, email: true } } },
    take: 5,
  })
  return admins.map(({ user }) => user)
}
