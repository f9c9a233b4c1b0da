import type { Metadata } from 'next'
import { Playground } from '#components/personalize/playground'
import { ChangingLink } from '#components/ui/controls/changing-link'
import { EmptyState } from '#components/ui/feedback/empty-state'
import { Breadcrumbs } from '#components/ui/layout/breadcrumbs'
import { PageBody, PageHeader } from '#components/ui/layout/page-header'
import { Panel } from '#components/ui/layout/panel'
import { type Campaign, ListCampaigns } from '#lib/contracts/campaigns/campaigns'
import type { StepConfig } from '#lib/contracts/campaigns/steps'
import { ListDatasets } from '#lib/contracts/datasets/datasets'
import { ListSenderProfiles } from '#lib/contracts/messages/sender-profiles'
import { ListTemplates } from '#lib/contracts/messages/templates'
import { stepAction } from '#lib/domain/campaigns/campaign-type'
import { writtenText } from '#lib/domain/campaigns/step-text'
import { ACTION_WORDS } from '#lib/domain/campaigns/step-words'
import { isAiStep } from '#lib/domain/personalize/review'
import { requireUser } from '#lib/http/session'
import { listCampaigns } from '#lib/services/campaigns/campaigns'
import { listDatasets } from '#lib/services/datasets/datasets'
import { listSenderProfiles } from '#lib/services/messages/sender-profiles'
import { listTemplates } from '#lib/services/messages/templates'
import { configuredWriter } from '#lib/services/personalize/writer'
import { SampleButton } from '../../samples/sample-button.tsx'
import { tryPrompt, usePromptInCampaign, writeForAll } from '../actions.ts'

export const metadata: Metadata = { title: 'Playground' }

type Listed = Pick<Campaign, 'campaign_id' | 'name' | 'dataset_id' | 'steps_config'>
type Named = { template_id: string; name: string }

const toOption = ({ campaign_id, name, dataset_id, steps_config }: Listed, templates: Named[]) => ({
  value: campaign_id,
  label: name,
  dataset_id,
  steps: steps_config
    .filter(isAiStep)
    .map((step) => ({ value: String(step.step), label: stepName(step, templates) })),
})

/** "Step 2 · Email · A word about {{ company }}" */
function stepName(step: StepConfig, templates: Named[]): string {
  const [variant] = step.variants
  const { subject, message_template } = writtenText(step, variant)
  const template = templates.find(({ template_id }) => template_id === variant?.template_id)
  const words = template?.name || subject || message_template?.trim().split('\n')[0]
  return [`Step ${step.step}`, ACTION_WORDS[stepAction(step)], words].filter(Boolean).join(' · ')
}

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
        {datasets.length === 0 ? (
          <Panel>
            <EmptyState
              title="Texts need leads"
              description="Import a spreadsheet, or take the sample leads for a first try."
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
            campaigns={campaigns.map((one) => toOption(one, templates))}
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
      </PageBody>
    </>
  )
}
