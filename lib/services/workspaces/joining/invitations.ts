import { createHash, randomBytes } from 'node:crypto'
import type { z } from 'zod'
import type { CreateInvitation, ListInvitations } from '#lib/contracts/workspaces/invitations'
import { db } from '#lib/db/client'
import type { Prisma } from '#lib/db/generated/client'
import { rowsOfPage } from '#lib/db/page'
import { type Orders, sortedPage } from '#lib/domain/text/row-order'
import { canGiveRole, ROLES, type Role, seesChosenOnly } from '#lib/domain/workspaces/roles'
import { env } from '#lib/env'
import { AppError } from '#lib/errors'
import { mayMail } from '#lib/services/instance/rate-limits'
import { type Here, requireHere, takeTurn } from '#lib/services/instance/turn'
import { sendAccountMail } from '#lib/services/telling/account-mail'
import type { NoticeMailbox } from '#lib/services/telling/mail-sender'
import { findBranding } from '#lib/services/workspaces/branding'
import { requireCampaigns } from '#lib/services/workspaces/joining/client-campaigns'

const LIFETIME_MS = 7 * 86_400_000
const MAX_OPEN = 100
/** Limit per address over all workspaces, so that invitations cannot be used to flood a mailbox. */
const MAILS_AN_HOUR = 10

type Asking = Here & { user_id: string; name: string; workspace_name: string; role: Role }

export const digestInvitation = (token: string) => createHash('sha256').update(token).digest('hex')

type Row = Prisma.InvitationGetPayload<object>

const open = (workspace_id: string) => ({ workspace_id, accepted_at: null, revoked_at: null })

const ORDERS: Orders<Row> = {
  email: ({ email }) => email,
  role: ({ role }) => ROLES.indexOf(role),
  expires_at: ({ expires_at }) => expires_at,
}

export async function listInvitations(
  user: Here,
  workspaceId: string,
  { sort, ...page }: z.output<typeof ListInvitations.query>,
) {
  requireHere(user, workspaceId)
  const where = open(workspaceId)
  const [rows, total] = await Promise.all([
    db.invitation.findMany({
      where,
      orderBy: [{ created_at: 'desc' }, { invitation_id: 'desc' }],
      ...(sort ? {} : rowsOfPage(page)),
    }),
    db.invitation.count({ where }),
  ])
  return { items: sortedPage(rows, ORDERS, { sort, ...page }), total, ...page }
}

/** A raw token, and the columns stored for it. */
function mint(now: Date) {
  const token = randomBytes(32).toString('base64url')
  const expires_at = new Date(now.getTime() + LIFETIME_MS)
  return {
    url: new URL(`/invite/${token}`, env().APP_URL).href,
    kept: { digest: digestInvitation(token), expires_at },
  }
}

const invitationText = (name: string, place: string, product: string, role: Role, url: string) =>
  `${name} invited you to ${place} as ${role}.

Accept it here, within 7 days:
${url}

The link works once. If you do not know the sender, ignore this email.

${product}, ${new URL(env().APP_URL).host}
`

async function mailed(user: Asking, invitation: Row, url: string, now: Date, mailbox: NoticeMailbox) {
  if (!(await mayMail('invitation', invitation.email, MAILS_AN_HOUR, now)))
    return { ...invitation, url, mailed: false }
  const { workspace_id, workspace_name } = user
  const branding = await findBranding(workspace_id)
  const place = branding.name ?? `the workspace ${workspace_name} on Opener`
  const text = invitationText(user.name, place, branding.name ?? 'Opener', invitation.role, url)
  const subject = `Join ${branding.name ?? `${workspace_name} on Opener`}`.replaceAll(/[\r\n]+/g, ' ')
  const trouble = await sendAccountMail(invitation.email, { subject, text, workspace_id }, now, mailbox)
  return { ...invitation, url, mailed: trouble === null }
}

export async function createInvitation(
  user: Asking,
  workspaceId: string,
  { email, role, campaign_ids }: z.output<typeof CreateInvitation.body>,
  now: Date,
  mailbox: NoticeMailbox,
) {
  requireHere(user, workspaceId)
  if (!canGiveRole(user.role, role)) throw new AppError('role_above_own')
  if (campaign_ids.length > 0 && !seesChosenOnly(role)) throw new AppError('not_a_client')
  const { url, kept } = mint(now)
  const invitation = await db.$transaction(async (tx) => {
    await takeTurn(tx, workspaceId)
    await requireFree(tx, workspaceId, email)
    await requireCampaigns(tx, workspaceId, campaign_ids)
    const data = {
      workspace_id: workspaceId,
      email,
      role,
      campaign_ids,
      ...kept,
      invited_by: user.user_id,
      created_at: now,
    }
    return tx.invitation.create({ data })
  })
  return mailed(user, invitation, url, now, mailbox)
}

/** Refuses an address that is a member or invited already, and a workspace that is full. */
async function requireFree(tx: Prisma.TransactionClient, workspaceId: string, email: string): Promise<void> {
  const member = await tx.member.findFirst({ where: { workspace_id: workspaceId, user: { email } } })
  if (member) throw new AppError('member_exists')
  const where = open(workspaceId)
  if (await tx.invitation.findFirst({ where: { ...where, email } })) throw new AppError('invitation_pending')
  if ((await tx.invitation.count({ where })) >= MAX_OPEN) throw new AppError('invitations_full')
}

/** Sends a new link and invalidates the old one, which may be in the wrong hands. The sender becomes the inviter. */
export async function resendInvitation(
  user: Asking,
  workspaceId: string,
  invitationId: string,
  now: Date,
  mailbox: NoticeMailbox,
) {
  const where = await whereOpen(user, workspaceId, invitationId)
  const { url, kept } = mint(now)
  const [invitation] = await db.invitation.updateManyAndReturn({
    where,
    data: { ...kept, invited_by: user.user_id },
  })
  if (!invitation) throw new AppError('invitation_not_found')
  return mailed(user, invitation, url, now, mailbox)
}

export async function revokeInvitation(
  user: Asking,
  workspaceId: string,
  invitationId: string,
  now: Date,
): Promise<void> {
  const where = await whereOpen(user, workspaceId, invitationId)
  const { count } = await db.invitation.updateMany({ where, data: { revoked_at: now } })
  if (count === 0) throw new AppError('invitation_not_found')
}

/** An open invitation for a role that the caller may give. */
async function whereOpen(user: Asking, workspaceId: string, invitationId: string) {
  requireHere(user, workspaceId)
  const where = { ...open(workspaceId), invitation_id: invitationId }
  const there = await db.invitation.findFirst({ where })
  if (!there) throw new AppError('invitation_not_found')
  if (!canGiveRole(user.role, there.role)) throw new AppError('role_above_own')
  return where
}
