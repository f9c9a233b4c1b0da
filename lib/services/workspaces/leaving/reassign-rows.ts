import { db } from '#lib/db/client'
import type { Prisma } from '#lib/db/generated/client'

type From = { workspace_id: string; from: string; to: string }

/** Makes another member the owner of everything somebody made in a workspace, and revokes API keys that act in their name. */
export async function reassignRows(
  tx: Prisma.TransactionClient,
  { workspace_id, from, to }: From,
  now: Date,
): Promise<void> {
  const made = { where: { workspace_id, user_id: from }, data: { user_id: to } }
  await tx.campaign.updateMany(made)
  await tx.template.updateMany(made)
  await tx.senderProfile.updateMany(made)
  await tx.socialPost.updateMany(made)
  await tx.reportLink.updateMany(made)
  await tx.apiKey.updateMany({
    where: { workspace_id, user_id: from, revoked_at: null },
    data: { revoked_at: now },
  })
}

/** Revokes open invitations that the person sent, and those sent to them. */
export async function revokeInvitations(
  tx: Prisma.TransactionClient,
  { workspace_id, user_id }: { workspace_id: string; user_id: string },
  now: Date,
): Promise<void> {
  const { email } = await tx.user.findUniqueOrThrow({ where: { user_id } })
  await tx.invitation.updateMany({
    where: {
      workspace_id,
      accepted_at: null,
      revoked_at: null,
      OR: [{ invited_by: user_id }, { email: email.toLowerCase() }],
    },
    data: { revoked_at: now },
  })
}

/**
 * Unassigns the conversations of somebody who may no longer reply. Call it after their membership or role has changed: an assignment
 * in progress holds the member's row.
 */
export async function unassign(
  tx: Prisma.TransactionClient,
  workspace_id: string,
  user_id: string,
): Promise<void> {
  await tx.thread.updateMany({ where: { workspace_id, assignee_id: user_id }, data: { assignee_id: null } })
  await tx.$executeRaw`
    UPDATE workspaces SET reply_assignees = array_remove(reply_assignees, ${user_id}::uuid)
    WHERE workspace_id = ${workspace_id}::uuid AND ${user_id}::uuid = ANY (reply_assignees)`
}

type TakenOut = { workspace_id: string; user_id: string; heir_id: string }

/** Removes somebody from a workspace; everything they made there stays, under another member's name. */
export async function takeOut(
  tx: Prisma.TransactionClient,
  { workspace_id, user_id, heir_id }: TakenOut,
  now: Date,
): Promise<void> {
  await reassignRows(tx, { workspace_id, from: user_id, to: heir_id }, now)
  await revokeInvitations(tx, { workspace_id, user_id }, now)
  await tx.member.delete({ where: { workspace_id_user_id: { workspace_id, user_id } } })
  await tx.pastMember.createMany({ data: { workspace_id, user_id, left_at: now }, skipDuplicates: true })
  await unassign(tx, workspace_id, user_id)
}

/** Counts what a person made in a workspace. */
export async function countMade(workspace_id: string, user_id: string) {
  const where = { workspace_id, user_id }
  const [campaigns, templates, sender_profiles, social_posts, api_keys, conversations] = await Promise.all([
    db.campaign.count({ where }),
    db.template.count({ where }),
    db.senderProfile.count({ where }),
    db.socialPost.count({ where }),
    db.apiKey.count({ where: { ...where, revoked_at: null } }),
    db.thread.count({ where: { workspace_id, assignee_id: user_id } }),
  ])
  return { campaigns, templates, sender_profiles, social_posts, api_keys, conversations }
}
