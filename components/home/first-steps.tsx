import { Circle, CircleCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from '#components/ui/controls/link'
import { Panel } from '#components/ui/layout/panel'

export type FirstStep = {
  title: string
  hint: ReactNode
  /** Additional information once the step is done. */
  doneHint?: ReactNode
  isDone: boolean
  /** Where the step is done or can be reviewed. */
  href: string
  act: ReactNode
}

type Props = { title?: string; steps: FirstStep[]; sample?: ReactNode }

/** The steps to a first campaign. Each links to its page, and the next one shows its button. */
export function FirstSteps({ title = 'Your first campaign', steps, sample }: Props) {
  const done = steps.filter((step) => step.isDone).length
  const next = steps.findIndex((step) => !step.isDone)
  return (
    <Panel title={title} description={`${done} of ${steps.length} done`} action={sample} flush>
      <ol>
        {steps.map((step, index) => (
          <li
            key={step.title}
            className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-border px-4 py-3 text-sm last:border-0"
          >
            {step.isDone ? (
              <CircleCheck role="img" aria-label="Done" className="size-4 shrink-0 text-success" />
            ) : (
              <Circle role="img" aria-label="To do" className="size-4 shrink-0 text-muted" />
            )}
            <div className="min-w-48 flex-1">
              <p className={step.isDone ? 'text-muted' : 'font-medium'}>
                <Link href={step.href} className="inline-flex min-h-6 items-center hover:underline">
                  {step.title}
                </Link>
              </p>
              <p className="text-muted empty:hidden">{step.isDone ? step.doneHint : step.hint}</p>
            </div>
            {index === next && <div className="flex flex-wrap gap-2">{step.act}</div>}
          </li>
        ))}
      </ol>
    </Panel>
  )
}
