import type { z } from 'zod'
import type { InvitedSignUp } from '#lib/contracts/workspaces/invitations'
import { db } from '#lib/db/client'
import type { Prisma } from '#lib/db/generated/client'
import type { InvitationModel } from '#lib/db/generated/models'
import { networkPlace } from '#lib/domain/text/network-place'
import { canGiveRole } from '#lib/domain/workspaces/roles'
import { env } from '#lib/env'
import { AppError } from '#lib/errors'
import { takeTurn } from '#lib/services/instance/turn'
import { recordAcceptance } from '#lib/services/workspaces/audit'
import { giveCampaigns } from '#lib/services/workspaces/joining/client-campaigns'
import { digestInvitation } from '#lib/services/workspaces/joining/invitations'
import { chooseWorkspace } from '#lib/services/workspaces/memberships'
import { makeUser } from '#lib/services/workspaces/new-user'
import { hashOfChosen } from '#lib/services/workspaces/sign-in/new-password'
import { takeTry } from '#lib/services/workspaces/sign-in/tries'

const SIGN_UPS = 5

/** The invitation behind a link; null if there never was one. */
export async function findInvitation(token: string) {
  return db.invitation.findUnique({
    where: { digest: digestInvitation(token) },
    include: { workspace: true, inviter: true },
  })
}

/** Whether the address has an account to sign in with. */
export const hasAccount = async (email: string): Promise<boolean> =>
  (await db.user.findUnique({ where: { email } })) !== null

/** Where an identity provider vouches for addresses, nobody signs up by a link that somebody else may hold. */
export function canSignUpByLink(): boolean {
  const { OIDC_ISSUER, AUTH_ISSUERS } = env()
  return !OIDC_ISSUER && AUTH_ISSUERS.trim() === '[]'
}

type Ends = { accepted_at: Date | null; revoked_at: Date | null; expires_at: Date }

/** Why a link is no longer valid; null if it is. */
export function whyClosed({ accepted_at, revoked_at, expires_at }: Ends, now: Date) {
  if (accepted_at) return 'invitation_used' as const
  if (revoked_at) return 'invitation_revoked' as const
  return expires_at <= now ? ('invitation_expired' as const) : null
}

/** The inviter's role may have changed since; they cannot grant more than their current one. */
async function requireGivable(
  tx: Prisma.TransactionClient,
  { workspace_id, invited_by, role }: Pick<InvitationModel, 'workspace_id' | 'invited_by' | 'role'>,
): Promise<void> {
  const inviter =
    invited_by &&
    (await tx.member.findUnique({
      where: { workspace_id_user_id: { workspace_id, user_id: invited_by } },
    }))
  if (!inviter || !canGiveRole(inviter.role, role)) throw new AppError('invitation_revoked')
}

/** Uses up the invitation of the person it was sent to. */
async function spendInvitation(
  tx: Prisma.TransactionClient,
  token: string,
  user: { user_id: string; email: string },
  now: Date,
) {
  const digest = digestInvitation(token)
  const there = await tx.invitation.findUnique({ where: { digest } })
  if (!there) throw new AppError('invitation_not_found')
  const ended = whyClosed(there, now)
  if (ended) throw new AppError(ended)
  if (there.email !== user.email.toLowerCase()) throw new AppError('invitation_for_another')
  const { workspace_id, role } = there
  await takeTurn(tx, workspace_id)
  await requireGivable(tx, there)
  const [used] = await tx.invitation.updateManyAndReturn({
    where: { digest, accepted_at: null, revoked_at: null, expires_at: { gt: now } },
    data: { accepted_at: now },
  })
  if (!used) throw new AppError('invitation_used')
  const { user_id } = user
  const [member] = await tx.member.createManyAndReturn({
    data: { workspace_id, user_id, role },
    skipDuplicates: true,
  })
  if (!member) throw new AppError('member_exists')
  await giveCampaigns(tx, member, there.campaign_ids)
  await recordAcceptance(tx, { workspace_id, user_id }, there.invitation_id, now)
  await tx.user.update({ where: { user_id }, data: { last_workspace_id: workspace_id } })
  const workspace = await tx.workspace.findUniqueOrThrow({ where: { workspace_id } })
  return { ...workspace, role }
}

/** Makes the person a member and switches their browser to the workspace. */
export async function acceptInvitation(
  user: { user_id: string; email: string; session_id?: string },
  token: string,
  now: Date,
) {
  const workspace = await db.$transaction((tx) => spendInvitation(tx, token, user, now))
  const { user_id, session_id } = user
  if (session_id) await chooseWorkspace({ user_id, session_id }, workspace.workspace_id)
  return workspace
}

/**
 * Creates an account for the invited address, even if sign-up is closed. Null if there is one already. The link does not prove the
 * address, because the inviter was shown it too.
 */
export async function signUpByInvitation(
  token: string,
  { name, password }: z.output<typeof InvitedSignUp>,
  place: string,
  now: Date,
) {
  if (!canSignUpByLink())
    throw new AppError('forbidden', {
      message: 'Sign in with the identity provider, then open the link again.',
    })
  await takeTry(`sign-up:${networkPlace(place).address}`, SIGN_UPS, now)
  const invitation = await findInvitation(token)
  if (!invitation) throw new AppError('invitation_not_found')
  const { email } = invitation
  const password_hash = await hashOfChosen(password, email)
  return db.$transaction(async (tx) => {
    const user = await makeUser({ email, name, password_hash }, tx)
    if (!user) return null
    await spendInvitation(tx, token, user, now)
    return user
  })
}
