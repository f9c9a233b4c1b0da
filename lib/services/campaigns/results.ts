import type { z } from 'zod'
import type { ListResults } from '#lib/contracts/campaigns/results'
import { db } from '#lib/db/client'
import type { Prisma } from '#lib/db/generated/client'
import { rowsOfPage } from '#lib/db/page'
import { type Asking, chosenBy } from '#lib/services/campaigns/client-access'

/** The results of all launched campaigns, or for a client of the campaigns assigned to them. */
export async function listResults(user: Asking, { page, page_size }: z.output<typeof ListResults.query>) {
  const client = chosenBy(user)
  const { workspace_id } = user
  const where: Prisma.CampaignWhereInput = {
    workspace_id,
    launched_at: { not: null },
    ...(client && { clients: { some: { workspace_id, user_id: client } } }),
  }
  const [items, total] = await Promise.all([
    db.campaign.findMany({
      where,
      orderBy: [{ launched_at: 'desc' }, { campaign_id: 'desc' }],
      ...rowsOfPage({ page, page_size }),
    }),
    db.campaign.count({ where }),
  ])
  return { items, total, page, page_size }
}
