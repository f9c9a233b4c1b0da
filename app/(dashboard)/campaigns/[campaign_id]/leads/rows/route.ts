import { leadLines } from '#components/leads/lead-line'
import { ListCampaignLeads } from '#lib/contracts/leads/campaign-leads'
import { plannedNext } from '#lib/services/forecast/lead-plans'
import { listCampaignLeads } from '#lib/services/leads/campaign-leads'
import { orNotFound } from '../../../../../page-input.ts'
import { loadCampaign } from '../../campaign.ts'
import { leadsQuery } from '../query.ts'

/** Further rows of the table, as it scrolls. */
export async function GET(request: Request, { params }: RouteContext<'/campaigns/[campaign_id]/leads/rows'>) {
  const { user, campaign } = await loadCampaign(params)
  const { query } = leadsQuery(Object.fromEntries(new URL(request.url).searchParams))
  const now = new Date()
  const [page, planned] = await Promise.all([
    orNotFound(listCampaignLeads(user.workspace_id, campaign.campaign_id, query)),
    plannedNext(campaign, now),
  ])
  const { items, ...list } = ListCampaignLeads.response.parse(page)
  return Response.json(
    { ...list, items: items.map(leadLines(campaign, now, planned)) },
    { headers: { 'cache-control': 'no-store' } },
  )
}
