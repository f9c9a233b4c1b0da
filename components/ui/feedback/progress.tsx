import { clsx } from 'clsx'

export type ProgressParts = { done: number; in_flight: number; waiting: number; ended_early: number }

const PARTS: { key: keyof ProgressParts; label: string; texture: string }[] = [
  { key: 'done', label: 'done', texture: 'texture-solid' },
  { key: 'in_flight', label: 'in flight', texture: 'texture-stripes' },
  { key: 'ended_early', label: 'ended early', texture: 'texture-dots' },
  { key: 'waiting', label: 'waiting', texture: 'texture-empty' },
]

type Props = { parts: ProgressParts; label: string; className?: string }

/** Four parts of a whole, distinguished by texture and colour, with words in the title. */
export function Progress({ parts, label, className }: Props) {
  const total = PARTS.reduce((sum, part) => sum + parts[part.key], 0)
  const shown = PARTS.filter((part) => parts[part.key] > 0)
  const words = shown.map((part) => `${parts[part.key].toLocaleString('en')} ${part.label}`).join(', ')
  return (
    <div className={clsx('min-w-0', className)}>
      <div
        role="img"
        aria-label={`${label}: ${words || 'nothing yet'}`}
        title={words}
        className="flex h-2 w-full gap-px overflow-hidden rounded-full bg-sunken ring-1 ring-border"
      >
        {shown.map((part) => (
          <span
            key={part.key}
            className={part.texture}
            style={{ width: `${(100 * parts[part.key]) / total}%`, minWidth: 6 }}
          />
        ))}
      </div>
    </div>
  )
}

/** The progress of one task, such as an import; without `value` it is indeterminate. */
export function ProgressLine({ value, label }: { value?: number; label: string }) {
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={value === undefined ? undefined : Math.round(value)}
      className="h-1.5 w-full overflow-hidden rounded-full bg-sunken ring-1 ring-border"
    >
      <span
        className={clsx(
          'block h-full bg-accent transition-[width] duration-300',
          value === undefined && 'animate-pulse-soft',
        )}
        style={{ width: `${value ?? 100}%` }}
      />
    </div>
  )
}
