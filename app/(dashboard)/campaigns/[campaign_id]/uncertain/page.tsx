import type { Metadata } from 'next'
import { UncertainTable } from '#components/leads/uncertain-table'
import { EmptyState } from '#components/ui/feedback/empty-state'
import { Panel } from '#components/ui/layout/panel'
import { ListUncertainActions } from '#lib/contracts/leads/uncertain-actions'
import { listUncertainActions } from '#lib/services/leads/uncertain-actions'
import { parseQuery } from '../../../../page-input.ts'
import { resolveUncertain } from '../actions.ts'
import { loadCampaign } from '../campaign.ts'
import { CampaignFrame } from '../frame.tsx'

export const metadata: Metadata = { title: 'Uncertain sends' }

export default async function UncertainPage({
  params,
  searchParams,
}: PageProps<'/campaigns/[campaign_id]/uncertain'>) {
  const { user, campaign } = await loadCampaign(params)
  const { campaign_id } = campaign
  const query = parseQuery(ListUncertainActions.query, await searchParams)
  const { items, ...list } = ListUncertainActions.response.parse(
    await listUncertainActions(user.workspace_id, campaign_id, query),
  )
  return (
    <CampaignFrame campaign={campaign} tab="uncertain" now={new Date()}>
      {list.total === 0 ? (
        <Panel>
          <EmptyState title="No send is uncertain" description="Every send has a known result." />
        </Panel>
      ) : (
        <UncertainTable
          path={`/campaigns/${campaign_id}/uncertain`}
          query={query}
          actions={items}
          {...list}
          timezone={campaign.timezone}
          resolve={resolveUncertain.bind(null, campaign_id)}
        />
      )}
    </CampaignFrame>
  )
}
