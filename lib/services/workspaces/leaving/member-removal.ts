import type { z } from 'zod'
import type { ReadMemberRemoval } from '#lib/contracts/workspaces/members'
import { db } from '#lib/db/client'
import { typedCampaign } from '#lib/services/campaigns/campaigns'
import { sendersNotGiven } from '#lib/services/instance/given-senders'
import { requireHere } from '#lib/services/instance/turn'
import { countMade } from '#lib/services/workspaces/leaving/reassign-rows'
import { type Asking, findHeir, findMember, namedHeir } from '#lib/services/workspaces/members'

/** At most this many campaigns are shown before a removal. */
const SHOWN = 100

/** What happens to a member's work if they are removed; changes nothing. */
export async function readMemberRemoval(
  user: Asking,
  { workspace_id, user_id }: z.output<typeof ReadMemberRemoval.params>,
  { hand_to }: z.output<typeof ReadMemberRemoval.query>,
) {
  requireHere(user, workspace_id)
  await findMember(db, workspace_id, user_id)
  const [made, heir, mailboxes, accounts] = await Promise.all([
    countMade(workspace_id, user_id),
    findHeir(db, { workspace_id, user_id, hand_to: namedHeir(user, user_id, hand_to) }),
    db.mailboxMember.count({ where: { workspace_id, user_id } }),
    db.accountMember.count({ where: { workspace_id, user_id } }),
  ])
  return {
    user_id,
    ...made,
    mailboxes,
    accounts,
    running: await runningCampaigns(workspace_id, user_id, heir?.user_id ?? user_id),
    handed_to: heir && { user_id: heir.user_id, name: heir.user.name },
  }
}

/** Campaigns that go on under the heir, and what would keep each from resuming then. */
async function runningCampaigns(workspace_id: string, user_id: string, heirId: string) {
  const rows = await db.campaign.findMany({
    where: { workspace_id, user_id, status: { in: ['scheduled', 'launching', 'active', 'draining'] } },
    orderBy: [{ created_at: 'asc' }, { campaign_id: 'asc' }],
    take: SHOWN,
  })
  return Promise.all(
    rows.map(typedCampaign).map(async (campaign) => {
      const missing = await sendersNotGiven({ ...campaign, user_id: heirId })
      const { campaign_id, name, status } = campaign
      return { campaign_id, name, status, missing: missing.map(({ message }) => message) }
    }),
  )
}
