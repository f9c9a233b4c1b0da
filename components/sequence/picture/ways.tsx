import type { StepConfig } from '#lib/contracts/campaigns/steps'
import { CONDITIONS } from '../kinds.tsx'
import { breadth, type Layout, type Way } from './layout.tsx'
import { count, type Numbers, reachedBy, type StepNumbers } from './numbers.tsx'

type Props = {
  layout: Layout
  steps: { key: string; step: StepConfig }[]
  numbers: Numbers | null
  findNumbers: (key: string) => StepNumbers | undefined
}

/** The lines between steps; wider lines had more leads. */
export function Ways({ layout: { ways, width, height }, numbers, findNumbers }: Props) {
  const going = ({ key, kind }: Way): number | null => {
    if (!numbers) return null
    if (key === 'end') return numbers.completed
    const own = findNumbers(key)
    if (!own) return null
    return kind === 'around' ? own.skipped : reachedBy(own)
  }
  return (
    <svg aria-hidden width={width} height={height} className="absolute inset-0 text-control">
      {ways.map((way) => (
        <path
          key={`${way.kind}-${way.key}`}
          d={way.path}
          fill="none"
          stroke="currentColor"
          strokeLinecap="round"
          strokeWidth={breadth(going(way), numbers?.total ?? 0)}
          {...(way.kind === 'around' && { strokeDasharray: '2 6' })}
        />
      ))}
    </svg>
  )
}

/** Labels of the lines: the wait, the condition, and the number of leads. */
export function WayWords({ layout: { ways }, steps, numbers, findNumbers }: Props) {
  return ways.map((way) => {
    const step = steps.find(({ key }) => key === way.key)?.step
    const own = findNumbers(way.key)
    return way.kind === 'around' ? (
      <p
        key={`around-${way.key}`}
        className="absolute w-22 -translate-x-full -translate-y-1/2 text-right text-xs text-muted"
        style={{ left: way.at.x, top: way.at.y }}
      >
        {own && own.skipped > 0 ? `${count(own.skipped)} skipped` : 'else skipped'}
      </p>
    ) : (
      <div
        key={way.key}
        className="absolute flex -translate-x-1/2 -translate-y-1/2 flex-col items-center gap-1 text-xs whitespace-nowrap"
        style={{ left: way.at.x, top: way.at.y }}
      >
        {step && (
          <span className="rounded-full border border-border bg-sunken px-2 py-0.5 text-muted">
            {waitWords(step)}
          </span>
        )}
        {own && numbers && (
          <span className="rounded-xs bg-bg px-1.5 tabular-nums">
            <strong className="font-medium">{count(reachedBy(own))}</strong> reached
            {own.waiting > 0 && <span className="text-muted"> · {count(own.waiting)} waiting</span>}
          </span>
        )}
      </div>
    )
  })
}

export function waitWords({ step, delay_days: days, condition }: StepConfig): string {
  const wait = `${days} ${days === 1 ? 'day' : 'days'}`
  const when =
    step === 1
      ? days === 0
        ? 'at once'
        : `${wait} after the launch`
      : days === 0
        ? 'the same day'
        : `wait ${wait}`
  const short = CONDITIONS.find(({ value }) => value === condition)?.short
  return short ? `${when}, ${short}` : when
}
