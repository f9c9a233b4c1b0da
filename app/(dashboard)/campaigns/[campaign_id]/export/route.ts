import { ExportCampaignLeads } from '#lib/contracts/leads/campaign-leads'
import { fileResponse } from '#lib/http/route'
import { requireUser } from '#lib/http/session'
import { exportCampaignLeads } from '#lib/services/leads/export'
import { orNotFound, parseParams, parseQuery } from '../../../../page-input.ts'

/** The same file that the API answers, for a signed-in browser. */
export async function GET(request: Request, { params }: RouteContext<'/campaigns/[campaign_id]/export'>) {
  const user = await requireUser()
  const { campaign_id } = parseParams(ExportCampaignLeads.params, await params)
  const query = parseQuery(ExportCampaignLeads.query, Object.fromEntries(new URL(request.url).searchParams))
  return fileResponse(
    await orNotFound(exportCampaignLeads(user.workspace_id, campaign_id, query, new Date())),
  )
}
