import { leadLines } from '#components/campaigns/lead-line'
import { ListCampaignLeads } from '#lib/contracts/campaign-leads'
import { listCampaignLeads } from '#lib/services/campaign-leads'
import { plannedNext } from '#lib/services/lead-next'
import { found } from '../../../../../page-input.ts'
import { campaignOf } from '../../campaign.ts'
import { leadsQuery } from '../query.ts'

/** Further rows of the table, as it scrolls. */
export async function GET(request: Request, { params }: RouteContext<'/campaigns/[campaign_id]/leads/rows'>) {
  const { user, campaign } = await campaignOf(params)
  const { query } = leadsQuery(Object.fromEntries(new URL(request.url).searchParams))
  const now = new Date()
  const [page, planned] = await Promise.all([
    found(listCampaignLeads(user.user_id, campaign.campaign_id, query)),
    plannedNext(campaign, now),
  ])
  const { items, ...list } = ListCampaignLeads.response.parse(page)
  return Response.json(
    { ...list, items: items.map(leadLines(campaign, now, planned)) },
    { headers: { 'cache-control': 'no-store' } },
  )
}
