import { Field } from '#components/ui/controls/field'
import { Select } from '#components/ui/controls/select'
import type { StepConfig } from '#lib/contracts/campaigns/steps'
import { STEP_CONDITIONS } from '#lib/domain/campaigns/step-conditions'
import { CONDITIONS } from '../kinds.tsx'
import { conditionObstacle } from './conditions.tsx'

type Props = {
  step: StepConfig
  steps: StepConfig[]
  isLinkedIn: boolean
  onChange: (step: StepConfig) => void
}

/** The condition of a step. Impossible choices are disabled, with the reason below. */
export function ConditionField({ step, steps, isLinkedIn, onChange }: Props) {
  const judged = CONDITIONS.map((condition) => ({
    ...condition,
    obstacle: conditionObstacle(steps, step.step - 1, condition.value, isLinkedIn),
  }))
  const refused = judged.filter(({ obstacle }) => obstacle !== null)
  const own = refused.find(({ value }) => value === step.condition)
  return (
    <div>
      <Field
        label="Condition"
        hint="Checked when the step is due, after the delay."
        error={own ? `Not possible here: ${own.obstacle}.` : undefined}
      >
        <Select
          value={step.condition}
          options={judged.map(({ value, label, obstacle }) => ({
            value,
            label,
            disabled: obstacle !== null && value !== step.condition,
          }))}
          onChange={(event) =>
            onChange({
              ...step,
              condition: STEP_CONDITIONS.find((one) => one === event.target.value) ?? step.condition,
            })
          }
        />
      </Field>
      {refused.length > 0 && (
        <details className="mt-1 text-sm">
          <summary className="min-h-6 w-fit rounded-xs text-muted underline decoration-dotted underline-offset-4 hover:text-text">
            Why {refused.length} cannot be chosen
          </summary>
          <ul className="mt-1 grid gap-1 text-muted">
            {refused.map(({ value, label, obstacle }) => (
              <li key={value}>
                <span className="text-text">{label}:</span> {obstacle}.
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}
