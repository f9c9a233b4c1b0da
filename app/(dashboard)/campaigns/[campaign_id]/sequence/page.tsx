import type { Metadata } from 'next'
import { SequenceEditor } from '#components/sequence/sequence-editor'
import { firstStep } from '#components/sequence/steps'
import type { Campaign } from '#lib/contracts/campaigns/campaign'
import { UpdateCampaign } from '#lib/contracts/campaigns/campaigns'
import { ListSenderProfiles } from '#lib/contracts/messages/sender-profiles'
import { ListTemplates } from '#lib/contracts/messages/templates'
import { editLimits } from '#lib/services/changes/undo'
import { asCampaignHas, keptOfGone } from '#lib/services/messages/campaign-texts'
import { listSenderProfiles } from '#lib/services/messages/sender-profiles'
import { listTemplates } from '#lib/services/messages/templates'
import { previewSource } from '#lib/services/messages/text-previews'
import { uploadImage } from '../../../images.ts'
import { listTemplateNames, readTemplateWords } from '../../../offered-templates.ts'
import { findViewLock, lockInWords } from '../../../view-only.tsx'
import { pauseCampaign } from '../../actions.ts'
import { loadAccounts } from '../accounts.ts'
import { undoEdit } from '../actions.ts'
import { isLive, loadCampaign } from '../campaign.ts'
import { CampaignFrame } from '../frame.tsx'
import {
  keepTemplate,
  previewSequence,
  readNumbers,
  renderStep,
  saveSequence,
  sendTestStep,
} from './actions.ts'

export const metadata: Metadata = { title: 'Sequence' }

const CAN_PAUSE = ['launching', 'active', 'draining']

export default async function SequencePage({
  params,
  searchParams,
}: PageProps<'/campaigns/[campaign_id]/sequence'>) {
  const { view } = await searchParams
  const { user, campaign } = await loadCampaign(params)
  const { campaign_id, dataset_id, status } = campaign
  const now = new Date()
  const all = { page: 1, page_size: 100 }
  const [templates, gone, profiles, { accounts }, source, limits, rendered, lock] = await Promise.all([
    listTemplates(user.workspace_id, all).then(async ({ templates: saved, total }) => ({
      templates: await asCampaignHas(campaign, saved),
      total,
    })),
    keptOfGone(campaign),
    listSenderProfiles(user.workspace_id, all),
    loadAccounts(campaign, now),
    previewSource(user.workspace_id, dataset_id),
    editLimits(user.workspace_id, campaign_id),
    firstPreview(campaign),
    findViewLock({ changes: UpdateCampaign, work: { name: 'campaign_id', id: campaign_id } }),
  ])
  return (
    <CampaignFrame campaign={campaign} tab="sequence" now={now}>
      <SequenceEditor
        campaign_id={campaign_id}
        view={view === 'picture' ? 'picture' : 'list'}
        type={campaign.type}
        version={campaign.version}
        steps={campaign.steps_config}
        connected_account_id={campaign.connected_account_id}
        templates={[...ListTemplates.response.parse(templates).templates, ...gone]}
        profiles={ListSenderProfiles.response.parse(profiles).sender_profiles}
        accounts={accounts}
        fields={source.fields}
        leads={source.leads}
        locked={lock ? lockInWords(lock) : limits.locked}
        pause={CAN_PAUSE.includes(status) && !lock ? pauseCampaign.bind(null, campaign_id) : null}
        reached={limits.reached_step}
        isLive={isLive(campaign)}
        save={saveSequence.bind(null, campaign_id)}
        undo={undoEdit.bind(null, campaign_id)}
        preview={previewSequence.bind(null, campaign_id)}
        render={renderStep.bind(null, campaign_id)}
        rendered={rendered}
        sendTest={sendTestStep.bind(null, campaign_id)}
        keepTemplate={keepTemplate}
        uploadImage={uploadImage}
        offered={{ any: templates.total > 0, list: listTemplateNames, read: readTemplateWords }}
        loadNumbers={campaign.launched_at ? readNumbers.bind(null, campaign_id) : null}
      />
    </CampaignFrame>
  )
}

/** The editor's first preview, rendered with the page; if it fails, the editor requests it again. */
async function firstPreview({ campaign_id, type, steps_config, connected_account_id }: Campaign) {
  const steps = steps_config.length > 0 ? steps_config : [firstStep(type)]
  const variant = steps[0]?.variants[0]?.label ?? null
  const step = steps[0]?.step ?? 1
  const wanted = { steps, step, variant, lead_index: 0, connected_account_id }
  return renderStep(campaign_id, wanted).catch(() => null)
}
