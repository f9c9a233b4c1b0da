import { Checkbox } from '#components/ui/checkbox'
import { Field } from '#components/ui/field'
import { Select } from '#components/ui/select'
import type { StepConfig } from '#lib/contracts/steps'

const CONDITIONS: { value: StepConfig['condition']; label: string }[] = [
  { value: 'always', label: 'Always' },
  { value: 'opened', label: 'Only if a person has opened' },
  { value: 'not_opened', label: 'Only if nobody has opened' },
  { value: 'clicked', label: 'Only if a person has clicked' },
  { value: 'not_clicked', label: 'Only if nobody has clicked' },
  { value: 'connected', label: 'Only if connected' },
  { value: 'not_connected', label: 'Only if not connected' },
]

/** What is watched of this step's mail, and what must have happened before it for the step to happen. */
export function Tracking({ step, onChange }: { step: StepConfig; onChange: (step: StepConfig) => void }) {
  return (
    <div className="grid gap-3">
      {step.step > 1 && (
        <Field
          label="When it happens"
          hint="Judged when its turn comes, after the delay. Proxies and scanners do not count."
          className="max-w-xs"
        >
          <Select
            value={step.condition}
            options={CONDITIONS}
            onChange={(event) =>
              onChange({ ...step, condition: event.target.value as StepConfig['condition'] })
            }
          />
        </Field>
      )}
      {step.channel === 'email' && (
        <>
          <Checkbox
            label="Track clicks"
            hint="Leads the links of HTML mail through this instance; some filters dislike it."
            checked={step.track_clicks}
            onChange={(event) => onChange({ ...step, track_clicks: event.target.checked })}
          />
          <Checkbox
            label="Track opens"
            hint="Adds an invisible image. It hurts deliverability, and many opens are machines’."
            checked={step.track_opens}
            onChange={(event) => onChange({ ...step, track_opens: event.target.checked })}
          />
        </>
      )}
    </div>
  )
}
