import { createHash, randomBytes } from 'node:crypto'
import type { z } from 'zod'
import type { CreateReportLink, ListReportLinks } from '#lib/contracts/campaigns/report-links'
import { db, pool } from '#lib/db/client'
import type { Prisma } from '#lib/db/generated/client'
import { rowsOfPage } from '#lib/db/page'
import { type Orders, sortedPage } from '#lib/domain/text/row-order'
import { notYours } from '#lib/domain/workspaces/others-work'
import { changesOwnOnly } from '#lib/domain/workspaces/roles'
import { env } from '#lib/env'
import { AppError } from '#lib/errors'
import type { Asking } from '#lib/services/campaigns/client-access'
import { takeTurn } from '#lib/services/instance/turn'

const DAY_MS = 86_400_000
const TOKEN_BYTES = 32
const MAX_LINKS = 500

export const digestReport = (token: string) => createHash('sha256').update(token).digest('hex')

const SHOWN = {
  campaigns: {
    select: { campaign: { select: { campaign_id: true, name: true } } },
    orderBy: { campaign_id: 'desc' },
  },
} satisfies Prisma.ReportLinkInclude

const toLink = ({ campaigns, ...link }: Prisma.ReportLinkGetPayload<{ include: typeof SHOWN }>) => ({
  ...link,
  campaigns: campaigns.map(({ campaign }) => campaign),
})

/** A member sees links that show only campaigns of their own, and links of their own whose campaigns are all gone. */
function ofMember({ role, user_id }: Asking): Prisma.ReportLinkWhereInput {
  if (!changesOwnOnly(role)) return {}
  const shows = { some: {}, every: { campaign: { user_id } } }
  return { OR: [{ campaigns: shows }, { user_id, campaigns: { none: {} } }] }
}

const ORDERS: Orders<ReturnType<typeof toLink>> = {
  name: ({ name }) => name,
  open_count: ({ open_count }) => open_count,
  last_opened_at: ({ last_opened_at }) => last_opened_at,
  expires_at: ({ expires_at }) => expires_at,
}

export async function listReportLinks(
  user: Asking,
  { sort, campaign_id, ...page }: z.output<typeof ListReportLinks.query>,
) {
  const { workspace_id } = user
  const where: Prisma.ReportLinkWhereInput = {
    workspace_id,
    AND: [ofMember(user), campaign_id ? { campaigns: { some: { campaign_id } } } : {}],
  }
  const [links, total] = await Promise.all([
    db.reportLink.findMany({
      where,
      include: SHOWN,
      orderBy: [{ created_at: 'desc' }, { report_link_id: 'desc' }],
      ...(sort ? {} : rowsOfPage(page)),
    }),
    db.reportLink.count({ where }),
  ])
  return { items: sortedPage(links.map(toLink), ORDERS, { sort, ...page }), total, ...page }
}

/** Every campaign must be of this workspace, and of this person if their role may change only their own. */
async function requireShareable(user: Asking, campaignIds: string[]): Promise<void> {
  const campaigns = await db.campaign.findMany({
    where: { workspace_id: user.workspace_id, campaign_id: { in: campaignIds } },
    select: { user_id: true },
  })
  if (campaigns.length < campaignIds.length) throw new AppError('campaign_not_found')
  if (changesOwnOnly(user.role) && campaigns.some(({ user_id }) => user_id !== user.user_id))
    throw new AppError('role_insufficient', { message: notYours('report_link_id') })
}

export async function createReportLink(
  user: Asking,
  { campaign_ids, expires_in_days, ...fields }: z.output<typeof CreateReportLink.body>,
  now: Date,
) {
  const { workspace_id, user_id } = user
  const campaignIds = [...new Set(campaign_ids)]
  await requireShareable(user, campaignIds)
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const link = await db.$transaction(async (tx) => {
    await takeTurn(tx, workspace_id)
    if ((await tx.reportLink.count({ where: { workspace_id } })) >= MAX_LINKS)
      throw new AppError('report_links_full')
    return tx.reportLink.create({
      data: {
        ...fields,
        workspace_id,
        user_id,
        digest: digestReport(token),
        created_at: now,
        expires_at: new Date(now.getTime() + expires_in_days * DAY_MS),
        campaigns: { create: campaignIds.map((campaign_id) => ({ workspace_id, campaign_id })) },
      },
      include: SHOWN,
    })
  })
  return { ...toLink(link), url: new URL(`/r/${token}`, await reportOrigin(workspace_id)).href }
}

/** The report host of the workspace or its parent, once it points to this instance; otherwise APP_URL. */
async function reportOrigin(workspaceId: string): Promise<string> {
  const { APP_URL, TRACKING_HOST } = env()
  const { rows } = await pool().query<{ report_host: string | null }>(
    'SELECT report_host FROM effective_brandings WHERE workspace_id = $1',
    [workspaceId],
  )
  const host = TRACKING_HOST && rows[0]?.report_host
  return host ? `https://${host}` : APP_URL
}

export async function revokeReportLink(workspace_id: string, reportLinkId: string): Promise<void> {
  const { count } = await db.reportLink.deleteMany({ where: { workspace_id, report_link_id: reportLinkId } })
  if (count === 0) throw new AppError('report_link_not_found')
}

/** Campaigns that a new link may show, the newest first; for a member, only their own. */
export async function shareableCampaigns({ workspace_id, user_id, role }: Asking) {
  return db.campaign.findMany({
    where: { workspace_id, launched_at: { not: null }, ...(changesOwnOnly(role) && { user_id }) },
    select: { campaign_id: true, name: true },
    orderBy: { campaign_id: 'desc' },
    take: MAX_LINKS,
  })
}
