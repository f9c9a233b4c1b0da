import { ArrowRight, CircleAlert, Lock } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import type { StepConfig } from '#lib/contracts/campaigns/steps'
import type { StepTemplate } from '#lib/contracts/messages/templates'
import { stepAction } from '#lib/domain/campaigns/campaign-type'
import { KINDS } from '../kinds.tsx'
import { headline } from '../step-headline.tsx'
import { percents } from '../steps.tsx'
import type { Spot } from './layout.tsx'
import { count, leftAfter, type StepNumbers, sentBy, spokenNumbers } from './numbers.tsx'
import { waitWords } from './ways.tsx'

type Props = {
  spot: Spot
  step: StepConfig
  templates: StepTemplate[]
  numbers: StepNumbers | undefined
  isChosen: boolean
  isWrong: boolean
  isFixed: boolean
  /** Whether this node is the tab stop. */
  isStop: boolean
  onChoose: () => void
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void
}

/** One step: its kind, first words, variants and results. */
export function StepNode(props: Props) {
  const { spot, step, templates, numbers, isChosen, isWrong, isFixed, isStop, onChoose, onKeyDown } = props
  const { icon: Icon, label } = KINDS[stepAction(step)]
  return (
    <>
      <button
        type="button"
        data-card={spot.key}
        tabIndex={isStop ? 0 : -1}
        aria-current={isChosen ? 'step' : undefined}
        aria-keyshortcuts={`Control+C Control+V${isFixed ? '' : ' Alt+ArrowUp Alt+ArrowDown Delete'}`}
        onClick={onChoose}
        onKeyDown={onKeyDown}
        style={{ left: spot.x, top: spot.y, width: spot.width, height: spot.height }}
        className={`absolute flex flex-col gap-1 rounded-md border bg-surface px-3 py-2.5 text-left text-sm shadow-control ${
          isChosen ? 'border-accent-text ring-1 ring-accent-text' : 'border-border hover:border-muted'
        }`}
      >
        <span className="flex w-full items-center gap-2">
          <Icon aria-hidden className="size-4 shrink-0 text-muted" />
          <span className="min-w-0 flex-1 truncate font-medium">
            {step.step}. {label}
          </span>
          {isWrong && (
            <CircleAlert role="img" aria-label="Cannot be saved yet" className="size-4 text-danger" />
          )}
          {isFixed && <Lock role="img" aria-label="Fixed" className="size-3.5 text-muted" />}
        </span>
        <span className="w-full truncate text-xs text-muted">{headline({ step, templates })}</span>
        <span className="sr-only">
          {waitWords(step)}
          {numbers && `. ${spokenNumbers(numbers)}`}
        </span>
        <Variants step={step} />
        {numbers && (
          <span aria-hidden className="mt-auto text-xs tabular-nums">
            <strong className="font-medium">{count(sentBy(numbers))}</strong> sent
            {sentBy(numbers) > 0 && (
              <span className="text-muted">
                {' · '}
                {Math.round((100 * numbers.replied) / sentBy(numbers))} % replied
              </span>
            )}
          </span>
        )}
      </button>
      {numbers && <Left spot={spot} numbers={numbers} />}
    </>
  )
}

const FILLS = ['bg-plot-1', 'bg-plot-2', 'bg-plot-3', 'bg-plot-4']

/** The shares as bar lengths, with letters if they fit. */
function Variants({ step }: { step: StepConfig }) {
  if (step.variants.length < 2) return null
  return (
    <span className="flex w-full gap-px text-xs text-muted">
      <span className="sr-only">Variants</span>
      {percents(step.variants).map(({ label, weight }, index) => (
        <span key={label} className="min-w-0 truncate" style={{ width: `${weight}%` }}>
          <span aria-hidden className={`block h-1 rounded-full ${FILLS[index % FILLS.length]}`} />
          {label} {weight} %
        </span>
      ))}
    </span>
  )
}

/** Leads for whom the sequence ended here. */
function Left({ spot, numbers }: { spot: Spot; numbers: StepNumbers }) {
  const left = leftAfter(numbers)
  if (left.length === 0) return null
  return (
    <ul
      aria-hidden
      className="absolute flex -translate-y-1/2 flex-col gap-0.5 text-xs whitespace-nowrap tabular-nums"
      style={{ left: spot.x + spot.width + 8, top: spot.y + spot.height / 2 }}
    >
      {left.map((one) => (
        <li key={one.what} className={`flex items-center gap-1 ${one.tone}`}>
          <ArrowRight className="size-3.5" /> {count(one.count)} {one.what}
        </li>
      ))}
    </ul>
  )
}
