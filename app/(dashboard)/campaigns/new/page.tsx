import type { Metadata } from 'next'
import { CreateCampaignForm } from '#components/campaigns/create-form'
import { ActionButton } from '#components/ui/controls/action-button'
import { ChangingLink } from '#components/ui/controls/changing-link'
import { EmptyState } from '#components/ui/feedback/empty-state'
import { Breadcrumbs } from '#components/ui/layout/breadcrumbs'
import { PageBody, PageHeader } from '#components/ui/layout/page-header'
import { Panel } from '#components/ui/layout/panel'
import { UpdateCampaign } from '#lib/contracts/campaigns/campaigns'
import { ListDatasets } from '#lib/contracts/datasets/datasets'
import { TIMEZONES } from '#lib/contracts/fields'
import { requireUser } from '#lib/http/session'
import { listDatasets } from '#lib/services/datasets/datasets'
import { workspaceTimezone } from '#lib/services/workspaces/users'
import { importSample } from '../../datasets/actions.ts'
import { ViewOnly } from '../../view-only.tsx'
import { createCampaign } from '../actions.ts'

export const metadata: Metadata = { title: 'New campaign' }

export default async function NewCampaignPage({ searchParams }: PageProps<'/campaigns/new'>) {
  const user = await requireUser()
  const { dataset_id } = await searchParams
  const query = ListDatasets.query.parse({ page_size: 100 })
  const { datasets } = ListDatasets.response.parse(await listDatasets(user.workspace_id, query))
  return (
    <>
      <PageHeader
        above={<Breadcrumbs items={[{ href: '/campaigns', label: 'Campaigns' }]} />}
        title="New campaign"
        description="A draft. Nothing is sent until you launch it."
      />
      <PageBody>
        <ViewOnly changes={UpdateCampaign}>
          {datasets.length === 0 ? (
            <Panel>
              <EmptyState
                title="A campaign needs leads"
                description="Import a spreadsheet, or try it with the sample leads."
                action={
                  <>
                    <ChangingLink variant="primary" href="/datasets/import">
                      Import a spreadsheet
                    </ChangingLink>
                    <ActionButton act={importSample}>Use sample leads</ActionButton>
                  </>
                }
              />
            </Panel>
          ) : (
            <CreateCampaignForm
              create={createCampaign}
              datasets={datasets}
              datasetId={typeof dataset_id === 'string' ? dataset_id : undefined}
              zones={[...TIMEZONES].sort()}
              zone={await workspaceTimezone(user.workspace_id)}
            />
          )}
        </ViewOnly>
      </PageBody>
    </>
  )
}
