'use client'

import { Trash2 } from 'lucide-react'
import { Button } from '#components/ui/controls/button'
import { Checkbox } from '#components/ui/controls/checkbox'
import type { StepConfig, Variant } from '#lib/contracts/campaigns/steps'
import { percents } from '../steps.tsx'
import { Shares } from './shares.tsx'
import { withoutVariant, withPart } from './words.tsx'

type Props = {
  step: StepConfig
  /** Weights in percent. */
  variants: Variant[]
  shown: Variant
  weightsProblem: string | undefined
  onChange: (step: StepConfig) => void
  onRemove: () => void
}

/** Settings of steps with variants: shares, AI text for one of them, and removing one. */
export function VariantOptions({ step, variants, shown, weightsProblem, onChange, onRemove }: Props) {
  const { label } = shown
  return (
    <>
      <Checkbox
        label={`AI writes variant ${label} for each lead`}
        hint="From the text above. Nothing is sent until you approve it."
        checked={shown.type === 'AI'}
        onChange={(event) =>
          onChange(withPart(step, label, { type: event.target.checked ? 'AI' : 'TEMPLATE' }))
        }
      />
      {variants.length > 1 && (
        <>
          <Shares
            variants={variants}
            problem={weightsProblem}
            onChange={(changed) => onChange({ ...step, variants: changed })}
          />
          <div>
            <Button
              size="sm"
              variant="ghost"
              onClick={() => {
                onRemove()
                onChange(withoutVariant({ ...step, variants: percents(variants) }, label))
              }}
            >
              <Trash2 aria-hidden /> Remove variant {label}
            </Button>
          </div>
        </>
      )}
    </>
  )
}
