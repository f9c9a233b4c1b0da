import { Checkbox } from '#components/ui/controls/checkbox'
import { Switch } from '#components/ui/controls/switch'
import type { StepConfig } from '#lib/contracts/campaigns/steps'
import { takesText } from '#lib/domain/campaigns/social-step'

type Props = { step: StepConfig; onChange: (step: StepConfig) => void }

/** AI text for steps with a text, and tracking for emails. */
export function StepOptions({ step, onChange }: Props) {
  const isMail = step.channel === 'email'
  if (!isMail && !takesText(step.action_type)) return null
  const hasAiVariant = step.variants.some(({ type }) => type === 'AI')
  return (
    <div className="grid gap-3 border-t border-border pt-4">
      <Switch
        label="Send AI texts"
        hint={
          hasAiVariant
            ? 'Off: single variants already use AI.'
            : 'AI writes from the text above. Each lead gets exactly what you approved.'
        }
        checked={step.ai_personalization_enabled}
        disabled={hasAiVariant && !step.ai_personalization_enabled}
        onChange={(event) => onChange({ ...step, ai_personalization_enabled: event.target.checked })}
      />
      {isMail && (
        <>
          <Checkbox
            label="Track clicks"
            hint="Routes HTML links through this instance. Some spam filters dislike it."
            checked={step.track_clicks}
            onChange={(event) => onChange({ ...step, track_clicks: event.target.checked })}
          />
          <Checkbox
            label="Track opens"
            hint="Adds an invisible image. Hurts deliverability; many opens are machines."
            checked={step.track_opens}
            onChange={(event) => onChange({ ...step, track_opens: event.target.checked })}
          />
        </>
      )}
    </div>
  )
}
