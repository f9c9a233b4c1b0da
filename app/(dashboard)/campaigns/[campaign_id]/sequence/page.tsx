import type { Metadata } from 'next'
import { SequenceEditor } from '#components/campaigns/sequence-editor'
import { ListSenderProfiles } from '#lib/contracts/sender-profiles'
import { ListTemplates } from '#lib/contracts/templates'
import { editLimits } from '#lib/services/campaign-edits'
import { previewSource } from '#lib/services/previews'
import { listSenderProfiles } from '#lib/services/sender-profiles'
import { listTemplates } from '#lib/services/templates'
import { renderStep, saveSequence, sendTestOf } from '../actions.ts'
import { campaignOf } from '../campaign.ts'
import { CampaignFrame } from '../frame.tsx'

export const metadata: Metadata = { title: 'Sequence' }

export default async function SequencePage({ params }: PageProps<'/campaigns/[campaign_id]/sequence'>) {
  const { user, campaign } = await campaignOf(params)
  const { campaign_id, dataset_id } = campaign
  const all = { page: 1, page_size: 100 }
  const [templates, profiles, source, limits] = await Promise.all([
    listTemplates(user.user_id, all),
    listSenderProfiles(user.user_id, all),
    previewSource(user.user_id, dataset_id),
    editLimits(user.user_id, campaign_id),
  ])
  return (
    <CampaignFrame campaign={campaign} tab="sequence" now={new Date()}>
      <SequenceEditor
        steps={campaign.steps_config}
        templates={ListTemplates.response.parse(templates).templates}
        profiles={ListSenderProfiles.response.parse(profiles).sender_profiles}
        fields={source.fields}
        leads={source.leads}
        locked={limits.locked}
        reached={limits.reached_step}
        save={saveSequence.bind(null, campaign_id)}
        render={renderStep.bind(null, campaign_id)}
        sendTest={sendTestOf.bind(null, campaign_id)}
      />
    </CampaignFrame>
  )
}
