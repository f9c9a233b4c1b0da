import type { Metadata } from 'next'
import { Suspense } from 'react'
import { AddRows } from '#components/datasets/rows/add-rows'
import { leadLines } from '#components/leads/lead-line'
import { LeadTable } from '#components/leads/lead-table'
import { LinkButton } from '#components/ui/controls/link-button'
import { EmptyState } from '#components/ui/feedback/empty-state'
import { Panel } from '#components/ui/layout/panel'
import { queryHref } from '#components/ui/query-href'
import type { Campaign } from '#lib/contracts/campaigns/campaign'
import { ListCampaignLeads } from '#lib/contracts/leads/campaign-leads'
import { MAX_LEADS_AT_ONCE } from '#lib/contracts/leads/lead-stops'
import { getDataset } from '#lib/services/datasets/datasets'
import { plannedNext } from '#lib/services/forecast/lead-plans'
import { countCampaignLeads, listCampaignLeads } from '#lib/services/leads/campaign-leads'
import { countWaiting } from '#lib/services/leads/waits-for'
import { loadCampaign } from '../campaign.ts'
import { CampaignFrame } from '../frame.tsx'
import {
  addLeads,
  retrySelected,
  selectableLeads,
  stopSelected,
  suppressSelected,
  takeBackSelected,
} from './actions.ts'
import { leadChoice } from './columns.ts'
import { OneLead, OneLeadSkeleton } from './one-lead.tsx'
import { leadsQuery } from './query.ts'

export const metadata: Metadata = { title: 'Leads' }

type Asked = ReturnType<typeof leadsQuery>

export default async function LeadsPage({
  params,
  searchParams,
}: PageProps<'/campaigns/[campaign_id]/leads'>) {
  const { campaign } = await loadCampaign(params)
  const asked = leadsQuery(await searchParams)
  const { campaign_id } = campaign
  const page = asked.query.page > 1 ? asked.query.page : undefined
  const closeHref = queryHref(`/campaigns/${campaign_id}/leads`, asked.filters, { page })
  return (
    <CampaignFrame campaign={campaign} tab="leads" now={new Date()}>
      {campaign.total_leads ? (
        <Leads campaign={campaign} asked={asked} />
      ) : (
        <Panel>
          <EmptyState
            title="No leads enrolled yet"
            description="Leads from the dataset are enrolled when you launch the campaign."
            action={<LinkButton href={`/datasets/${campaign.dataset_id}`}>See the dataset</LinkButton>}
          />
        </Panel>
      )}
      {asked.lead && (
        <Suspense key={asked.lead} fallback={<OneLeadSkeleton closeHref={closeHref} />}>
          <OneLead campaign={campaign} leadId={asked.lead} closeHref={closeHref} />
        </Suspense>
      )}
    </CampaignFrame>
  )
}

async function Leads({ campaign, asked }: { campaign: Campaign; asked: Asked }) {
  const { workspace_id, campaign_id } = campaign
  const now = new Date()
  const [page, counts, waiting, planned, dataset] = await Promise.all([
    listCampaignLeads(workspace_id, campaign_id, asked.query, now),
    countCampaignLeads(workspace_id, campaign_id),
    countWaiting(workspace_id, campaign_id, now),
    plannedNext(campaign, now),
    getDataset(workspace_id, campaign.dataset_id),
  ])
  const { items, ...list } = ListCampaignLeads.response.parse(page)
  const { choice, cells } = await leadChoice(campaign, dataset)
  return (
    <LeadTable
      campaign={campaign}
      query={asked.filters}
      first={{ ...list, items: items.map(leadLines(campaign, now, planned, cells)) }}
      choice={choice}
      counts={counts}
      waiting={waiting}
      add={
        <AddRows
          noun="leads"
          columns={dataset.columns}
          add={addLeads.bind(null, campaign_id)}
          description="They start with the first step. People who are suppressed, have replied or are already leads are skipped."
        />
      }
      acts={{
        stop: stopSelected.bind(null, campaign_id),
        takeBack: takeBackSelected.bind(null, campaign_id),
        retry: retrySelected.bind(null, campaign_id),
        suppress: suppressSelected.bind(null, campaign_id),
        all: selectableLeads.bind(null, campaign_id, asked.filters),
        most: MAX_LEADS_AT_ONCE,
      }}
    />
  )
}
