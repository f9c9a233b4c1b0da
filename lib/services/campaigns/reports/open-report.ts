import { timingSafeEqual } from 'node:crypto'
import { CampaignAnalytics } from '#lib/contracts/campaigns/campaign-analytics'
import { db } from '#lib/db/client'
import { repliedName } from '#lib/domain/campaigns/replied-name'
import { networkPlace } from '#lib/domain/text/network-place'
import { asRecord } from '#lib/domain/text/record'
import { readCampaignAnalytics } from '#lib/services/campaigns/campaign-analytics'
import { digestReport } from '#lib/services/campaigns/reports/report-links'
import { takeToken } from '#lib/services/instance/rate-limits'

const OPENED_PER_MINUTE = 30
const MAX_NAMES = 200

/** Finds a valid link by the digest of its token, compared in constant time, and counts the use. */
async function findLink(token: string, now: Date) {
  const digest = digestReport(token)
  const [link] = await db.reportLink.updateManyAndReturn({
    where: { digest, expires_at: { gt: now }, campaigns: { some: {} } },
    data: { open_count: { increment: 1 }, last_opened_at: now },
  })
  return link && timingSafeEqual(Buffer.from(link.digest), Buffer.from(digest)) ? link : null
}

/**
 * What a holder of the link sees. Null for a wrong, expired or revoked link, when its campaigns were deleted, and when one network asks too
 * often. The answer does not reveal which.
 */
export async function openReport(token: string, place: string, now: Date) {
  if ((await takeToken(`report:${networkPlace(place).address}`, OPENED_PER_MINUTE, now)) < 0) return null
  const link = await findLink(token, now)
  if (!link) return null
  const { workspace_id, report_link_id, name, show_names } = link
  const [workspace, campaigns] = await Promise.all([
    db.workspace.findUniqueOrThrow({ where: { workspace_id } }),
    db.campaign.findMany({
      where: { workspace_id, launched_at: { not: null }, report_links: { some: { report_link_id } } },
      orderBy: [{ launched_at: 'desc' }, { campaign_id: 'desc' }],
    }),
  ])
  const reported = []
  // Sequentially, so that a report of many campaigns uses no more connections at once than a report of one.
  for (const campaign of campaigns) {
    const { campaign_id } = campaign
    reported.push({
      campaign_id,
      name: campaign.name,
      status: campaign.status,
      analytics: CampaignAnalytics.parse(await readCampaignAnalytics(workspace_id, campaign_id)),
      names: show_names ? await listNames(workspace_id, campaign_id) : null,
    })
  }
  const { timezone } = workspace
  return { name, workspace_id, workspace_name: workspace.name, timezone, campaigns: reported }
}

/** People who replied, the latest first. Leads without a name in their dataset are left out. */
async function listNames(workspace_id: string, campaign_id: string): Promise<string[]> {
  const leads = await db.campaignLead.findMany({
    where: { workspace_id, campaign_id, status: 'replied' },
    orderBy: [{ last_event_at: 'desc' }, { campaign_lead_id: 'desc' }],
    take: MAX_NAMES,
  })
  const [first] = leads
  if (!first) return []
  const rows = await db.datasetRow.findMany({
    where: {
      workspace_id,
      dataset_id: first.dataset_id,
      lead_index: { in: leads.map(({ lead_index }) => lead_index) },
    },
    select: { lead_index: true, data: true },
  })
  const cells = new Map(rows.map(({ lead_index, data }) => [lead_index, asRecord(data)]))
  return leads.flatMap(({ lead_index }) => repliedName(cells.get(lead_index) ?? {}) ?? [])
}
