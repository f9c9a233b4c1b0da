import type { z } from 'zod'
import {
  type ListMembers,
  Member,
  type RemoveMember,
  type UpdateMember,
} from '#lib/contracts/workspaces/members'
import { db } from '#lib/db/client'
import type { Prisma } from '#lib/db/generated/client'
import { rowsOfPage } from '#lib/db/page'
import { type Orders, sortedPage } from '#lib/domain/text/row-order'
import type { RoleHeld } from '#lib/domain/workspaces/provider-roles'
import {
  ANSWERING_ROLES,
  canGiveRole,
  isRoleEnough,
  ROLES,
  type Role,
  roleOfKey,
  seesChosenOnly,
} from '#lib/domain/workspaces/roles'
import { AppError } from '#lib/errors'
import { type Here, requireHere, takeTurn } from '#lib/services/instance/turn'
import { edit } from '#lib/services/instance/versioned-edit'
import { takeOut, unassign } from '#lib/services/workspaces/leaving/reassign-rows'
import { ensureWorkspace } from '#lib/services/workspaces/workspaces'

export type Asking = Here & { user_id: string; role: Role }

const SHOWN = {
  user: true,
  mailboxes: {
    select: { mailbox_id: true, mailbox: { select: { address: true } } },
    orderBy: { mailbox: { address: 'asc' } },
  },
} satisfies Prisma.MemberInclude
type MemberRow = Prisma.MemberGetPayload<{ include: typeof SHOWN }>

const toMember = ({ user: { name, email }, mailboxes, ...member }: MemberRow) => ({
  ...member,
  name,
  email,
  mailboxes: mailboxes.map(({ mailbox_id, mailbox: { address } }) => ({ mailbox_id, address })),
})
const memberKey = (workspace_id: string, user_id: string) => ({
  workspace_id_user_id: { workspace_id, user_id },
})

const ORDERS: Orders<ReturnType<typeof toMember>> = {
  name: ({ name, email }) => name || email,
  role: ({ role }) => ROLES.indexOf(role),
  created_at: ({ created_at }) => created_at,
}

export async function listMembers(
  user: Here,
  workspaceId: string,
  { sort, ...page }: z.output<typeof ListMembers.query>,
) {
  requireHere(user, workspaceId)
  const where = { workspace_id: workspaceId }
  const [members, total] = await Promise.all([
    db.member.findMany({
      where,
      include: SHOWN,
      orderBy: [{ role: 'asc' }, { created_at: 'asc' }, { user_id: 'asc' }],
      ...(sort ? {} : rowsOfPage(page)),
    }),
    db.member.count({ where }),
  ])
  return { items: sortedPage(members.map(toMember), ORDERS, { sort, ...page }), total, ...page }
}

export async function findMember(tx: Pick<typeof db, 'member'>, workspaceId: string, userId: string) {
  const member = await tx.member.findUnique({
    where: memberKey(workspaceId, userId),
    include: SHOWN,
  })
  if (!member) throw new AppError('member_not_found')
  return member
}

/** The longest-standing owner other than this one; null if there is none. */
export const anotherOwner = (tx: Pick<typeof db, 'member'>, workspaceId: string, userId: string) =>
  tx.member.findFirst({
    where: { workspace_id: workspaceId, role: 'owner', NOT: { user_id: userId } },
    include: SHOWN,
    orderBy: [{ created_at: 'asc' }, { user_id: 'asc' }],
  })

/** Checks against the caller's current role, not the one at the time of the request, and never above that of their API key. */
async function requireAbove(tx: Pick<typeof db, 'member'>, asking: Asking, roles: Role[]): Promise<void> {
  const { role } = await findMember(tx, asking.workspace_id, asking.user_id)
  const own = roleOfKey(role, asking.role)
  if (!roles.every((other) => canGiveRole(own, other))) throw new AppError('role_above_own')
}

/** The only function that changes a role, with its consequences for what the member has access to. */
export async function giveRole(
  tx: Prisma.TransactionClient,
  { workspace_id, user_id }: { workspace_id: string; user_id: string },
  data: Pick<Prisma.MemberUpdateInput, 'version'> & RoleHeld,
) {
  // A member who becomes a client again starts without campaigns.
  if (!seesChosenOnly(data.role)) await tx.campaignClient.deleteMany({ where: { workspace_id, user_id } })
  const where = memberKey(workspace_id, user_id)
  const updated = await tx.member.update({ where, data, include: SHOWN })
  if (!ANSWERING_ROLES.includes(data.role)) await unassign(tx, workspace_id, user_id)
  return updated
}

export async function updateMember(
  user: Asking,
  { workspace_id, user_id }: z.output<typeof UpdateMember.params>,
  { role, version }: z.output<typeof UpdateMember.body>,
) {
  requireHere(user, workspace_id)
  return edit({
    table: 'members',
    key: { workspace_id, user_id },
    version,
    missing: 'member_not_found',
    current: async () => Member.parse(toMember(await findMember(db, workspace_id, user_id))),
    first: (tx) => takeTurn(tx, workspace_id),
    write: async (tx) => {
      const member = await findMember(tx, workspace_id, user_id)
      await requireAbove(tx, user, [member.role, role])
      if (member.role === 'owner' && role !== 'owner' && !(await anotherOwner(tx, workspace_id, user_id)))
        throw new AppError('last_owner')
      return toMember(await giveRole(tx, member, { role, role_from: 'hand' }))
    },
  })
}

/** Transfers ownership; the previous owner becomes an admin. */
export async function handOnWorkspace(user: Asking, workspaceId: string, userId: string) {
  requireHere(user, workspaceId)
  return db.$transaction(async (tx) => {
    await takeTurn(tx, workspaceId)
    await requireAbove(tx, user, ['owner'])
    await findMember(tx, workspaceId, userId)
    const counted = { role_from: 'hand', version: { increment: 1 } } as const
    await tx.member.update({
      where: memberKey(workspaceId, user.user_id),
      data: { role: 'admin', ...counted },
    })
    const where = memberKey(workspaceId, userId)
    await tx.campaignClient.deleteMany({ where: { workspace_id: workspaceId, user_id: userId } })
    return toMember(await tx.member.update({ where, data: { role: 'owner', ...counted }, include: SHOWN }))
  })
}

type Leaving = { workspace_id: string; user_id: string; hand_to: string | undefined }

/** Who takes over what a member made: the named member, else an owner. Null if they are the only owner. */
export async function findHeir(
  tx: Pick<typeof db, 'member'>,
  { workspace_id, user_id, hand_to }: Leaving,
): Promise<MemberRow | null> {
  const owner = await anotherOwner(tx, workspace_id, user_id)
  if (!owner || hand_to === undefined) return owner
  const heir = await findMember(tx, workspace_id, hand_to)
  if (heir.user_id === user_id) throw new AppError('member_not_found')
  if (!isRoleEnough(heir.role, 'member')) throw new AppError('heir_role')
  return heir
}

/** The remover takes over, unless they name somebody. */
export const namedHeir = (user: Asking, user_id: string, hand_to: string | undefined) =>
  hand_to ?? (user.user_id === user_id ? undefined : user.user_id)

async function takeOutFor(tx: Prisma.TransactionClient, leaving: Leaving, now: Date): Promise<void> {
  const heir = await findHeir(tx, leaving)
  if (!heir) throw new AppError('last_owner')
  const { workspace_id, user_id } = leaving
  await takeOut(tx, { workspace_id, user_id, heir_id: heir.user_id }, now)
}

export async function removeMember(
  user: Asking,
  { workspace_id, user_id }: { workspace_id: string; user_id: string },
  { hand_to }: z.output<typeof RemoveMember.query>,
  now: Date,
): Promise<void> {
  requireHere(user, workspace_id)
  const removed = await db.$transaction(async (tx) => {
    await takeTurn(tx, workspace_id)
    const member = await findMember(tx, workspace_id, user_id)
    await requireAbove(tx, user, [member.role])
    await takeOutFor(tx, { workspace_id, user_id, hand_to: namedHeir(user, user_id, hand_to) }, now)
    return member
  })
  await db.$transaction((tx) => ensureWorkspace(tx, removed.user))
}

export async function leaveWorkspace(user: Asking, workspaceId: string, now: Date): Promise<void> {
  requireHere(user, workspaceId)
  await db.$transaction(async (tx) => {
    await takeTurn(tx, workspaceId)
    const { user_id } = await findMember(tx, workspaceId, user.user_id)
    // Serializes leaving two workspaces at once: each would otherwise count the other as the workspace that remains.
    await tx.$queryRaw`
      SELECT 1 FROM members WHERE user_id = ${user_id}::uuid ORDER BY workspace_id FOR NO KEY UPDATE`
    const others = await tx.member.count({ where: { user_id, NOT: { workspace_id: workspaceId } } })
    if (!(await anotherOwner(tx, workspaceId, user_id))) throw new AppError('last_owner')
    if (others === 0) throw new AppError('last_workspace')
    await takeOutFor(tx, { workspace_id: workspaceId, user_id, hand_to: undefined }, now)
  })
}
