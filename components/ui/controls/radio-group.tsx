import { clsx } from 'clsx'
import type { ReactNode } from 'react'

export type Choice = { value: string; label: ReactNode; hint?: ReactNode; disabled?: boolean }

/** A few choices with a sentence each; for short ones use SegmentedControl. */
export function RadioGroup({
  name,
  legend,
  choices,
  defaultValue,
  className,
}: {
  name: string
  legend: string
  choices: Choice[]
  defaultValue?: string
  className?: string
}) {
  return (
    <fieldset className={clsx('grid gap-2', className)}>
      <legend className="mb-1.5 text-sm font-medium">{legend}</legend>
      {choices.map((choice) => (
        <label
          key={choice.value}
          className="flex items-start gap-2.5 rounded-sm border border-border bg-surface px-3 py-2 text-sm has-checked:border-accent-text has-checked:bg-accent-subtle has-disabled:opacity-50"
        >
          <input
            type="radio"
            name={name}
            value={choice.value}
            defaultChecked={choice.value === defaultValue}
            disabled={choice.disabled}
            className="mt-0.5 size-4 shrink-0 accent-accent"
          />
          <span>
            <span className="font-medium">{choice.label}</span>
            {choice.hint && <span className="block text-muted">{choice.hint}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
