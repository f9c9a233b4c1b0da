import { ZonedTime } from '#components/ui/zoned-time'
import type { TimelineEvent } from '#lib/contracts/lead-timelines'
import type { StepConfig } from '#lib/contracts/steps'
import { words } from './lead-timeline.tsx'

/** Each step of the sequence and how far this lead is with it, on one line. */
export function LeadSteps({
  steps,
  events,
  timezone,
}: {
  steps: StepConfig[]
  events: TimelineEvent[]
  timezone: string
}) {
  return (
    <ol className="grid gap-1 text-sm" aria-label="Steps">
      {steps.map((step, index) => {
        const last = events.findLast((event) => event.step === index + 1)
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a step is its place in the sequence
          <li key={index} className="flex flex-wrap justify-between gap-x-3">
            <span>
              {index + 1}. {step.channel === 'social' ? 'LinkedIn' : 'Email'}
              {step.subject && <span className="text-muted"> · {step.subject}</span>}
            </span>
            <span className="text-muted">
              {last ? words(last.kind) : 'Not reached'}
              {last && (
                <>
                  {' · '}
                  <ZonedTime at={last.at} zone={timezone} />
                </>
              )}
            </span>
          </li>
        )
      })}
    </ol>
  )
}
