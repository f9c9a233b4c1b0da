import { Send } from 'lucide-react'
import type { Metadata } from 'next'
import { CampaignFilters } from '#components/campaigns/campaign-filters'
import { isMoving } from '#components/campaigns/campaign-status'
import { CAMPAIGN_COLUMNS, CampaignTable } from '#components/campaigns/campaign-table'
import { ChangingLink } from '#components/ui/controls/changing-link'
import { LinkButton } from '#components/ui/controls/link-button'
import { EmptyState } from '#components/ui/feedback/empty-state'
import { LiveRefresh } from '#components/ui/feedback/live-refresh'
import { PageBody, PageHeader } from '#components/ui/layout/page-header'
import { Panel } from '#components/ui/layout/panel'
import type { Campaign } from '#lib/contracts/campaigns/campaign'
import { ListCampaigns } from '#lib/contracts/campaigns/campaigns'
import { requireUser } from '#lib/http/session'
import { countByStatus, listCampaigns, listOwners } from '#lib/services/campaigns/campaigns'
import { readListedRates } from '#lib/services/campaigns/reports/listed-rates'
import { countPending } from '#lib/services/leads/campaign-leads'
import { parseQuery } from '../../page-input.ts'
import { columnChoice } from '../kept-columns.ts'
import { SampleButton } from '../samples/sample-button.tsx'
import { findOthersWork } from '../section-lock.tsx'
import {
  changeCampaigns,
  deleteCampaign,
  duplicateCampaign,
  pauseCampaign,
  resumeCampaign,
} from './actions.ts'
import { loadReasons } from './whys.ts'

export const metadata: Metadata = { title: 'Campaigns' }

const ACTS = {
  pause: pauseCampaign,
  resume: resumeCampaign,
  duplicate: duplicateCampaign,
  remove: deleteCampaign,
}

export default async function CampaignsPage({ searchParams }: PageProps<'/campaigns'>) {
  const user = await requireUser()
  const { page_size, ...asked } = parseQuery(ListCampaigns.query, await searchParams)
  const query = { ...asked, page_size }
  const { campaigns, ...list } = ListCampaigns.response.parse(await listCampaigns(user, query))
  const ids = campaigns.map(({ campaign_id }) => campaign_id)
  const now = new Date()
  const [whys, rates, pending, owners, counts, others] = await Promise.all([
    loadReasons(user.workspace_id, campaigns, now),
    readListedRates(user.workspace_id, campaigns),
    countPending(
      user.workspace_id,
      campaigns.filter(isUnfinished).map(({ campaign_id }) => campaign_id),
    ),
    listOwners(user.workspace_id),
    countByStatus(user, query),
    findOthersWork(user, 'campaign_id', ids),
  ])
  const isTeam = owners.length > 1
  const choice = await columnChoice({
    table: 'campaigns',
    path: '/campaigns',
    all: CAMPAIGN_COLUMNS.filter(({ key }) => isTeam || key !== 'owner'),
  })
  const isFiltered = Boolean(query.status_filter ?? query.status ?? query.search ?? query.name ?? query.owner)
  const isNew = list.total === 0 && !isFiltered
  const create = (
    <ChangingLink variant="primary" href="/campaigns/new">
      New campaign
    </ChangingLink>
  )
  return (
    <>
      <PageHeader title="Campaigns" actions={!isNew && create} />
      <PageBody>
        {!isNew && (
          <CampaignFilters query={asked} counts={counts} owners={owners} me={user.user_id} choice={choice} />
        )}
        {campaigns.length > 0 ? (
          <CampaignTable
            campaigns={campaigns}
            {...list}
            query={asked}
            isTeam={isTeam}
            choice={choice}
            pending={Object.fromEntries(pending)}
            rates={Object.fromEntries(rates)}
            change={changeCampaigns}
            others={others}
            now={now.toISOString()}
            whys={whys}
            acts={ACTS}
          />
        ) : (
          <Panel>
            <NoCampaigns isFiltered={!isNew} create={create} />
          </Panel>
        )}
        <LiveRefresh every_seconds={3} active={campaigns.some(isMoving)} watch="campaigns" />
      </PageBody>
    </>
  )
}

const isUnfinished = ({ total_leads, processed_leads }: Campaign) => (total_leads ?? 0) > processed_leads

function NoCampaigns({ isFiltered, create }: { isFiltered: boolean; create: React.ReactNode }) {
  if (isFiltered) {
    return (
      <EmptyState
        title="No campaigns match these filters"
        action={<LinkButton href="/campaigns">Show all campaigns</LinkButton>}
      />
    )
  }
  return (
    <EmptyState
      icon={<Send />}
      title="No campaign yet"
      description="A campaign contacts a list of leads in steps: each step at most once per lead, inside the hours you set."
      action={
        <>
          {create}
          <SampleButton kind="campaign" />
        </>
      }
    />
  )
}
