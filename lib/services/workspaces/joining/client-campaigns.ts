import type { z } from 'zod'
import { MAX_GIVEN, type SetClientCampaigns } from '#lib/contracts/workspaces/client-campaigns'
import { db } from '#lib/db/client'
import type { Prisma } from '#lib/db/generated/client'
import { seesChosenOnly } from '#lib/domain/workspaces/roles'
import { AppError } from '#lib/errors'
import { type Here, requireHere, takeTurn } from '#lib/services/instance/turn'
import { edit } from '#lib/services/instance/versioned-edit'
import { findMember } from '#lib/services/workspaces/members'

type OneMember = z.output<typeof SetClientCampaigns.params>

/** Refuses the whole list if one campaign is not the workspace's, as if it did not exist. */
export async function requireCampaigns(
  tx: Pick<typeof db, 'campaign'>,
  workspaceId: string,
  campaignIds: string[],
): Promise<void> {
  const unique = [...new Set(campaignIds)]
  const where = { workspace_id: workspaceId, campaign_id: { in: unique } }
  if ((await tx.campaign.count({ where })) < unique.length) throw new AppError('campaign_not_found')
}

/** Gives access to those of the campaigns that still exist; access given before is kept. */
export async function giveCampaigns(
  tx: Prisma.TransactionClient,
  { workspace_id, user_id }: OneMember,
  campaignIds: string[],
): Promise<void> {
  const there = await tx.campaign.findMany({
    where: { workspace_id, campaign_id: { in: campaignIds } },
    select: { campaign_id: true },
  })
  await tx.campaignClient.createMany({
    data: there.map(({ campaign_id }) => ({ workspace_id, user_id, campaign_id })),
    skipDuplicates: true,
  })
}

/** The campaigns to choose from, the newest first; those chosen already are always included. */
export async function campaignChoice(workspace_id: string, given: string[]) {
  const select = { campaign_id: true, name: true }
  const orderBy = { campaign_id: 'desc' as const }
  const [chosen, others] = await Promise.all([
    db.campaign.findMany({ where: { workspace_id, campaign_id: { in: given } }, select, orderBy }),
    db.campaign.findMany({
      where: { workspace_id, campaign_id: { notIn: given } },
      select,
      orderBy,
      take: MAX_GIVEN,
    }),
  ])
  return [...chosen, ...others]
}

/** A client with their name and role, for the page. */
export async function readClient(user: Here, member: OneMember) {
  const { user: person, role } = await findMember(db, member.workspace_id, member.user_id)
  return { ...(await readClientCampaigns(user, member)), name: person.name || person.email, role }
}

export async function readClientCampaigns(user: Here, { workspace_id, user_id }: OneMember) {
  requireHere(user, workspace_id)
  const { version } = await findMember(db, workspace_id, user_id)
  const given = await db.campaignClient.findMany({
    where: { workspace_id, user_id },
    orderBy: { campaign_id: 'desc' },
  })
  return { user_id, campaign_ids: given.map(({ campaign_id }) => campaign_id), version }
}

export async function setClientCampaigns(
  user: Here,
  member: OneMember,
  { campaign_ids, version }: z.output<typeof SetClientCampaigns.body>,
) {
  requireHere(user, member.workspace_id)
  const { workspace_id, user_id } = member
  await edit({
    table: 'members',
    key: { workspace_id, user_id },
    version,
    missing: 'member_not_found',
    current: () => readClientCampaigns(user, member),
    first: (tx) => takeTurn(tx, workspace_id),
    write: async (tx) => {
      if (!seesChosenOnly((await findMember(tx, workspace_id, user_id)).role))
        throw new AppError('not_a_client')
      await requireCampaigns(tx, workspace_id, campaign_ids)
      await tx.campaignClient.deleteMany({
        where: { workspace_id, user_id, campaign_id: { notIn: campaign_ids } },
      })
      await giveCampaigns(tx, member, campaign_ids)
    },
  })
  return readClientCampaigns(user, member)
}
