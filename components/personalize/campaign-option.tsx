import type { Campaign } from '#lib/contracts/campaigns/campaign'
import type { StepConfig } from '#lib/contracts/campaigns/steps'
import { stepAction } from '#lib/domain/campaigns/campaign-type'
import { writtenText } from '#lib/domain/campaigns/step-text'
import { ACTION_WORDS } from '#lib/domain/campaigns/step-words'
import { isAiStep } from '#lib/domain/personalize/review'

type Listed = Pick<Campaign, 'campaign_id' | 'name' | 'dataset_id' | 'steps_config'>
type Named = { template_id: string; name: string }

/** A campaign with its AI steps. */
export const toCampaignOption = (
  { campaign_id, name, dataset_id, steps_config }: Listed,
  templates: Named[],
) => ({
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
