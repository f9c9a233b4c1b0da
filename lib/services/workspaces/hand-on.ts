import { db } from '#lib/db/client'
import type { Prisma } from '#lib/db/generated/client'

type From = { workspace_id: string; from: string; to: string }

/** What somebody made in a workspace is another's from now on. Their API keys, which act in their name, end. */
export async function handOnRows(
  tx: Prisma.TransactionClient,
  { workspace_id, from, to }: From,
  now: Date,
): Promise<void> {
  const made = { where: { workspace_id, user_id: from }, data: { user_id: to } }
  await tx.campaign.updateMany(made)
  await tx.template.updateMany(made)
  await tx.senderProfile.updateMany(made)
  await tx.socialPost.updateMany(made)
  await tx.apiKey.updateMany({
    where: { workspace_id, user_id: from, revoked_at: null },
    data: { revoked_at: now },
  })
}

/** How much there is of it. */
export async function countMade(workspace_id: string, user_id: string) {
  const where = { workspace_id, user_id }
  const [campaigns, templates, sender_profiles, social_posts, api_keys] = await Promise.all([
    db.campaign.count({ where }),
    db.template.count({ where }),
    db.senderProfile.count({ where }),
    db.socialPost.count({ where }),
    db.apiKey.count({ where: { ...where, revoked_at: null } }),
  ])
  return { campaigns, templates, sender_profiles, social_posts, api_keys }
}
