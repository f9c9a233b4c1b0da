import type { Metadata } from 'next'
import { LeadTable } from '#components/campaigns/lead-table'
import { EmptyState } from '#components/ui/empty-state'
import { Panel } from '#components/ui/panel'
import { queryHref } from '#components/ui/query-href'
import { ListCampaignLeads } from '#lib/contracts/campaign-leads'
import { id } from '#lib/contracts/fields'
import { countCampaignLeads, listCampaignLeads } from '#lib/services/campaign-leads'
import { queryOf } from '../../../../page-input.ts'
import { campaignOf } from '../campaign.ts'
import { CampaignFrame } from '../frame.tsx'
import { OneLead } from './one-lead.tsx'

export const metadata: Metadata = { title: 'Leads' }

/** `lead` names the one whose timeline stands open beside the list. */
const Query = ListCampaignLeads.query.extend({ lead: id().optional() })

export default async function LeadsPage({
  params,
  searchParams,
}: PageProps<'/campaigns/[campaign_id]/leads'>) {
  const { user, campaign } = await campaignOf(params)
  const { campaign_id } = campaign
  const { lead, ...query } = queryOf(Query, await searchParams)
  const [page, counts] = await Promise.all([
    listCampaignLeads(user.user_id, campaign_id, query),
    countCampaignLeads(user.user_id, campaign_id),
  ])
  const { items, ...list } = ListCampaignLeads.response.parse(page)
  return (
    <CampaignFrame campaign={campaign} tab="leads" now={new Date()}>
      {campaign.total_leads ? (
        <LeadTable
          path={`/campaigns/${campaign_id}/leads`}
          exportPath={`/campaigns/${campaign_id}/export`}
          query={query}
          leads={items}
          {...list}
          steps={campaign.steps_config.length}
          timezone={campaign.timezone}
          counts={counts}
        />
      ) : (
        <Panel>
          <EmptyState
            title="No lead is enrolled yet"
            description="Leads of the dataset are enrolled when the campaign is launched."
          />
        </Panel>
      )}
      {lead && (
        <OneLead
          campaign={campaign}
          leadId={lead}
          closeHref={queryHref(`/campaigns/${campaign_id}/leads`, query, { page: query.page })}
        />
      )}
    </CampaignFrame>
  )
}
