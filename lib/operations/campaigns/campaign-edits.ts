import { AdoptTemplates, ListCampaignEdits, UndoCampaignEdit } from '#lib/contracts/campaigns/campaign-edits'
import { operation } from '#lib/operations/operation'
import * as adopted from '#lib/services/changes/template-adoption'
import * as edits from '#lib/services/changes/undo'

export const listCampaignEdits = operation(ListCampaignEdits, ({ user, params, query }) =>
  edits.listCampaignEdits(user.workspace_id, params.campaign_id, query),
)
export const undoCampaignEdit = operation(UndoCampaignEdit, ({ user, params, query, now }) => {
  const { campaign_id, edit_id } = params
  return query.dry_run === 'true'
    ? edits.previewUndo(user.workspace_id, campaign_id, edit_id, now)
    : edits.undoCampaignEdit(user.workspace_id, campaign_id, edit_id, now)
})
export const adoptTemplates = operation(AdoptTemplates, ({ user, params, query, body, now }) =>
  query.dry_run === 'true'
    ? adopted.previewAdoption(user.workspace_id, params.campaign_id, body.template_ids, now)
    : adopted.adoptTemplates(user.workspace_id, params.campaign_id, body.template_ids, now),
)
