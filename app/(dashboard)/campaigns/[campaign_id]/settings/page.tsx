import type { Metadata } from 'next'
import { CampaignDanger } from '#components/campaigns/campaign-danger'
import { CampaignSettings } from '#components/campaigns/campaign-settings'
import { EditHistory } from '#components/campaigns/edit-history'
import { IntentRulesForm } from '#components/inbox/rules/intent-rules-form'
import { ListCampaignEdits } from '#lib/contracts/campaigns/campaign-edits'
import { UpdateCampaign } from '#lib/contracts/campaigns/campaigns'
import { listCampaignEdits } from '#lib/services/changes/undo'
import { readIntentRules } from '#lib/services/inbox/intent/rules'
import { ruleChoices } from '../../../rule-choices.ts'
import { ViewOnly } from '../../../view-only.tsx'
import { deleteCampaign, duplicateCampaign } from '../../actions.ts'
import { loadAccounts } from '../accounts.ts'
import { previewChange, saveCampaignRules, saveSettings, undoEdit } from '../actions.ts'
import { isLive, loadCampaign } from '../campaign.ts'
import { CampaignFrame } from '../frame.tsx'
import { loadMailboxes } from '../mailboxes.ts'

export const metadata: Metadata = { title: 'Campaign settings' }

export default async function SettingsPage({ params }: PageProps<'/campaigns/[campaign_id]/settings'>) {
  const { user, campaign } = await loadCampaign(params)
  const { campaign_id } = campaign
  const now = new Date()
  const [mailboxes, usable, edits, rules, choices] = await Promise.all([
    loadMailboxes(campaign, now),
    loadAccounts(campaign, now),
    listCampaignEdits(user.workspace_id, campaign_id, { page: 1, page_size: 20 }),
    readIntentRules(user, campaign_id),
    ruleChoices(user, campaign_id),
  ])
  return (
    <CampaignFrame campaign={campaign} tab="settings" now={now}>
      <div className="grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-4">
        <ViewOnly changes={UpdateCampaign} work={{ name: 'campaign_id', id: campaign_id }}>
          <CampaignSettings
            campaign={campaign}
            mailboxes={mailboxes}
            {...usable}
            save={saveSettings.bind(null, campaign_id)}
            preview={isLive(campaign) ? previewChange.bind(null, campaign_id, 'settings') : null}
          />
          <IntentRulesForm rules={rules} choices={choices} save={saveCampaignRules.bind(null, campaign_id)} />
        </ViewOnly>
        <EditHistory
          edits={ListCampaignEdits.response.parse(edits).items}
          now={now.toISOString()}
          undo={undoEdit.bind(null, campaign_id)}
        />
        <CampaignDanger
          campaign={campaign}
          duplicate={duplicateCampaign.bind(null, campaign_id)}
          remove={deleteCampaign.bind(null, campaign_id)}
        />
      </div>
    </CampaignFrame>
  )
}
