import { PreviewDraftStep, PreviewStep, SendTest } from '#lib/contracts/campaigns/step-previews'
import { operation } from '#lib/operations/operation'
import * as service from '#lib/services/step-previews/step-previews'

export const previewStep = operation(PreviewStep, ({ user, params, body, now }) =>
  service.previewStep(user.workspace_id, params.campaign_id, body, now),
)
export const sendTest = operation(SendTest, ({ user, params, body, now }) =>
  service.sendTest(user.workspace_id, params.campaign_id, body, now),
)
export const previewDraftStep = operation(PreviewDraftStep, ({ user, params, body, now }) => {
  const { steps_config, ...which } = body
  return service.previewDraft(user.workspace_id, params.campaign_id, steps_config, which, now)
})
