import type { Metadata } from 'next'
import { toCampaignOption } from '#components/personalize/campaign-option'
import { Playground } from '#components/personalize/playground'
import { ChangingLink } from '#components/ui/controls/changing-link'
import { EmptyState } from '#components/ui/feedback/empty-state'
import { Breadcrumbs } from '#components/ui/layout/breadcrumbs'
import { PageBody, PageHeader } from '#components/ui/layout/page-header'
import { Panel } from '#components/ui/layout/panel'
import { ListCampaigns } from '#lib/contracts/campaigns/campaigns'
import { ListDatasets } from '#lib/contracts/datasets/datasets'
import { ListSenderProfiles } from '#lib/contracts/messages/sender-profiles'
import { ListTemplates } from '#lib/contracts/messages/templates'
import { Personalize } from '#lib/contracts/personalize/personalize'
import { requireUser } from '#lib/http/session'
import { listCampaigns } from '#lib/services/campaigns/campaigns'
import { listDatasets } from '#lib/services/datasets/datasets'
import { listSenderProfiles } from '#lib/services/messages/sender-profiles'
import { listTemplates } from '#lib/services/messages/templates'
import { configuredWriter } from '#lib/services/personalize/writer'
import { SampleButton } from '../../samples/sample-button.tsx'
import { ViewOnly } from '../../view-only.tsx'
import { tryPrompt, usePromptInCampaign, writeForAll } from '../actions.ts'

export const metadata: Metadata = { title: 'Playground' }

const MANY = { page_size: 100 }

export default async function PlaygroundPage({ searchParams }: PageProps<'/personalize/playground'>) {
  const user = await requireUser()
  const { workspace_id } = user
  const { campaign_id, step } = await searchParams
  const [{ datasets }, { campaigns }, { templates }, { sender_profiles }] = await Promise.all([
    listDatasets(workspace_id, ListDatasets.query.parse(MANY)),
    listCampaigns(user, ListCampaigns.query.parse(MANY)),
    listTemplates(workspace_id, ListTemplates.query.parse(MANY)),
    listSenderProfiles(workspace_id, ListSenderProfiles.query.parse(MANY)),
  ])
  const campaign = campaigns.find((one) => one.campaign_id === campaign_id)
  const { name, offline } = configuredWriter()
  return (
    <>
      <PageHeader
        above={<Breadcrumbs items={[{ href: '/personalize', label: 'Personalize' }]} />}
        title="Playground"
        description={`Try your prompt on a few leads. Writer: ${name}.`}
      />
      <PageBody>
        <ViewOnly changes={Personalize}>
          {datasets.length === 0 ? (
            <Panel>
              <EmptyState
                title="Texts need leads"
                description="Import a spreadsheet, or try it with the sample leads."
                action={
                  <>
                    <ChangingLink variant="primary" href="/datasets/import">
                      Import a spreadsheet
                    </ChangingLink>
                    <SampleButton kind="leads" />
                  </>
                }
              />
            </Panel>
          ) : (
            <Playground
              datasets={datasets.map((one) => ({ value: one.dataset_id, label: one.dataset_name }))}
              campaigns={campaigns.map((one) => toCampaignOption(one, templates))}
              templates={templates.map((one) => ({ value: one.template_id, label: one.name }))}
              profiles={sender_profiles.map((one) => ({ value: one.id, label: one.profile_name }))}
              chosen={
                campaign
                  ? {
                      campaign_id: campaign.campaign_id,
                      dataset_id: campaign.dataset_id,
                      ...(typeof step === 'string' ? { step } : {}),
                      prompt: campaign.system_prompt ?? '',
                    }
                  : {}
              }
              writer={{ name, offline }}
              preview={tryPrompt}
              write={writeForAll}
              adopt={usePromptInCampaign}
            />
          )}
        </ViewOnly>
      </PageBody>
    </>
  )
}
