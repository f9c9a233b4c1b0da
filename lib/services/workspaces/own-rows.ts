import { db } from '#lib/db/client'
import { changesOwnOnly, NOT_YOURS, type Role } from '#lib/domain/workspaces/roles'
import { AppError } from '#lib/errors'

type Asking = { workspace_id: string; user_id: string; role: Role }

/** Refuses a change of a campaign to whom only their own are given; where there is none, its operation says so. */
export async function requireOwnCampaign(
  { workspace_id, user_id, role }: Asking,
  campaignId: string,
): Promise<void> {
  if (!changesOwnOnly(role)) return
  const others = await db.campaign.findFirst({
    where: { workspace_id, campaign_id: campaignId, NOT: { user_id } },
    select: { campaign_id: true },
  })
  if (others) throw new AppError('role_insufficient', { message: NOT_YOURS })
}
