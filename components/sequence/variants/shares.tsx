'use client'

import { Scale } from 'lucide-react'
import { useId } from 'react'
import { Button } from '#components/ui/controls/button'
import { Input } from '#components/ui/controls/input'
import type { Variant } from '#lib/contracts/campaigns/steps'
import { even, sumWeights } from '../steps.tsx'

type Props = {
  /** Weights in percent. */
  variants: Variant[]
  problem: string | undefined
  onChange: (variants: Variant[]) => void
}

/** The share of leads for each variant; a lead's variant is drawn once and never changes. */
export function Shares({ variants, problem, onChange }: Props) {
  const sumId = useId()
  const set = (label: string, weight: number) =>
    onChange(variants.map((one) => (one.label === label ? { ...one, weight } : one)))
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 text-sm font-medium">Share of leads</legend>
      <Bar variants={variants} />
      <div className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-2 text-sm">
        {variants.map(({ label, weight }, index) => (
          <span key={label} className="flex items-center gap-1.5">
            <span aria-hidden className={`size-2 rounded-full ${FILLS[index % FILLS.length]}`} />
            <label htmlFor={`${sumId}-${label}`}>
              <span className="sr-only">Share of </span>
              {label}
            </label>
            <span className="w-16">
              <Input
                id={`${sumId}-${label}`}
                type="number"
                min={0}
                max={100}
                aria-invalid={problem ? true : undefined}
                aria-describedby={sumId}
                value={weight}
                onChange={(event) => set(label, whole(event.target.valueAsNumber))}
              />
            </span>
            %
          </span>
        ))}
        <Button size="sm" onClick={() => onChange(even(variants))}>
          <Scale aria-hidden /> Split evenly
        </Button>
        <output id={sumId} className={`ml-auto ${problem ? 'text-danger' : 'text-muted'}`}>
          {problem ?? `Total ${sumWeights(variants)} %`}
        </output>
      </div>
    </fieldset>
  )
}

const whole = (value: number) => (Number.isFinite(value) ? Math.max(0, Math.min(100, Math.round(value))) : 0)

const FILLS = ['bg-plot-1', 'bg-plot-2', 'bg-plot-3', 'bg-plot-4']

/** The shares as parts of one bar; the numbers are below. */
function Bar({ variants }: { variants: Variant[] }) {
  return (
    <div aria-hidden className="flex h-1.5 gap-px overflow-hidden rounded-full bg-sunken">
      {variants.map((variant, index) => (
        <span
          key={variant.label}
          className={FILLS[index % FILLS.length]}
          style={{ width: `${variant.weight}%` }}
        />
      ))}
    </div>
  )
}
