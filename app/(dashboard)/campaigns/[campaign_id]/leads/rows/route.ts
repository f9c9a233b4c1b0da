import { leadLines } from '#components/leads/lead-line'
import { ListCampaignLeads } from '#lib/contracts/leads/campaign-leads'
import { getDataset } from '#lib/services/datasets/datasets'
import { plannedNext } from '#lib/services/forecast/lead-plans'
import { listCampaignLeads } from '#lib/services/leads/campaign-leads'
import { orNotFound } from '../../../../../page-input.ts'
import { loadCampaign } from '../../campaign.ts'
import { leadChoice } from '../columns.ts'
import { leadsQuery } from '../query.ts'

/** Further rows of the table, as it scrolls. */
export async function GET(request: Request, { params }: RouteContext<'/campaigns/[campaign_id]/leads/rows'>) {
  const { user, campaign } = await loadCampaign(params)
  const { query } = leadsQuery(Object.fromEntries(new URL(request.url).searchParams))
  const now = new Date()
  const [page, planned, dataset] = await Promise.all([
    orNotFound(listCampaignLeads(user.workspace_id, campaign.campaign_id, query, now)),
    plannedNext(campaign, now),
    getDataset(user.workspace_id, campaign.dataset_id),
  ])
  const { items, ...list } = ListCampaignLeads.response.parse(page)
  const { cells } = await leadChoice(campaign, dataset)
  return Response.json(
    { ...list, items: items.map(leadLines(campaign, now, planned, cells)) },
    { headers: { 'cache-control': 'no-store' } },
  )
}
