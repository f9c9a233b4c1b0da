import { leadLine } from '#components/campaigns/lead-line'
import { ListCampaignLeads } from '#lib/contracts/campaign-leads'
import { requireUser } from '#lib/http/session'
import { listCampaignLeads } from '#lib/services/campaign-leads'
import { found, paramsOf } from '../../../../../page-input.ts'
import { leadsQuery } from '../query.ts'

/** Further rows of the table, as it scrolls. */
export async function GET(request: Request, { params }: RouteContext<'/campaigns/[campaign_id]/leads/rows'>) {
  const user = await requireUser()
  const { campaign_id } = paramsOf(ListCampaignLeads.params, await params)
  const { query } = leadsQuery(Object.fromEntries(new URL(request.url).searchParams))
  const page = await found(listCampaignLeads(user.user_id, campaign_id, query))
  const { items, ...list } = ListCampaignLeads.response.parse(page)
  return Response.json({ ...list, items: items.map(leadLine) }, { headers: { 'cache-control': 'no-store' } })
}
