import { KINDS } from '#components/sequence/kinds'
import { ZonedTime } from '#components/ui/zoned-time'
import type { StepConfig } from '#lib/contracts/campaigns/steps'
import type { TimelineEvent } from '#lib/contracts/leads/lead-timelines'
import { stepAction } from '#lib/domain/campaigns/campaign-type'
import { words } from './lead-words.tsx'

type Props = { steps: StepConfig[]; events: TimelineEvent[]; timezone: string }

/** Each step of the sequence with the lead's progress, on one line. */
export function LeadSteps({ steps, events, timezone }: Props) {
  return (
    <ol className="divide-y divide-border rounded-md border border-border text-sm" aria-label="Steps">
      {steps.map((step, index) => {
        const last = events.findLast((event) => event.step === index + 1)
        const { icon: Icon, label } = KINDS[stepAction(step)]
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a step is its place in the sequence
          <li key={index} className="flex flex-wrap items-center gap-x-2 px-3 py-2">
            <Icon aria-hidden className="size-4 shrink-0 text-muted" />
            <span className="min-w-0 flex-1 truncate">
              {index + 1}. {label}
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
            {last?.reason && isSkip(last) && (
              <span className="w-full pl-6 text-muted wrap-anywhere">{last.reason}</span>
            )}
          </li>
        )
      })}
    </ol>
  )
}

const isSkip = ({ kind }: TimelineEvent) => kind === 'skipped' || kind === 'will_be_skipped'
