import { clsx } from 'clsx'
import { Check } from 'lucide-react'

/** The progress in a wizard; `current` counts from 0. */
export function Stepper({ label, steps, current }: { label: string; steps: string[]; current: number }) {
  return (
    <ol aria-label={label} className="flex items-center gap-2 overflow-x-auto text-sm">
      {steps.map((step, index) => (
        <li
          key={step}
          aria-current={index === current ? 'step' : undefined}
          className="flex items-center gap-2 whitespace-nowrap"
        >
          {index > 0 && <span aria-hidden className="h-px w-4 bg-border sm:w-8" />}
          <span
            aria-hidden
            className={clsx(
              'grid size-5 place-items-center rounded-full border text-2xs font-semibold',
              index < current && 'border-accent bg-accent text-on-accent',
              index === current && 'border-accent-text text-accent-text',
              index > current && 'border-border text-muted',
            )}
          >
            {index < current ? <Check className="size-3" /> : index + 1}
          </span>
          <span
            className={clsx(
              index === current ? 'font-medium' : 'text-muted',
              index !== current && 'max-sm:sr-only',
            )}
          >
            {step}
            {index < current && <span className="sr-only"> (done)</span>}
          </span>
        </li>
      ))}
    </ol>
  )
}
