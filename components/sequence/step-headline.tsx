import type { StepConfig } from '#lib/contracts/campaigns/steps'
import type { StepTemplate } from '#lib/contracts/messages/templates'
import { stepAction } from '#lib/domain/campaigns/campaign-type'
import { writtenText } from '#lib/domain/campaigns/step-text'
import { KINDS } from './kinds.tsx'

/** The first words of a step, or its kind if it has no text. */
export function headline({ step, templates }: { step: StepConfig; templates: StepTemplate[] }): string {
  const { variants } = step
  const action_type = stepAction(step)
  if (variants.length > 1) return `${variants.length} variants`
  const template = templates.find((one) => one.template_id === variants[0]?.template_id)
  const { subject, message_template } = writtenText(step, variants[0])
  const words = template?.name || subject || message_template?.trim().split('\n')[0]
  if (words) return words
  if (action_type === 'connection_request') return 'Without a note'
  return ['email', 'message', 'inmail', 'comment_post'].includes(action_type)
    ? 'Nothing written yet'
    : KINDS[action_type].about
}
