import { type OthersWork, RowLock } from '#components/lists/row-lock'
import { ActionButton } from '#components/ui/controls/action-button'
import { Link } from '#components/ui/controls/link'
import { type Lock, LockProvider } from '#components/ui/controls/lock'
import { StatusPill } from '#components/ui/feedback/status-pill'
import { Panel } from '#components/ui/layout/panel'
import type { Act } from '#components/ui/use-action'

export type Problem = {
  key: string
  tone: 'danger' | 'warning'
  kind: string
  title: string
  detail?: string
  remedy: { href: string; label: string }
  /** An action that fixes the problem in one click, if there is one. */
  fix?: { act: Act; label: string; isOfSenders?: true; campaign_id?: string }
}

/** This many problems are expanded, so that the rest of the page stays visible. */
const OPEN = 5

/** Restrictions for users who may not change senders, or only their own campaigns. */
type Locks = { senderLock: Lock | null; others: OthersWork | null }

/** Problems that need attention, most severe first, each with a link to the fix. */
export function ProblemList({ problems, ...locks }: Locks & { problems: Problem[] }) {
  if (problems.length === 0) return null
  const rest = problems.slice(OPEN)
  return (
    <Panel title="Needs your attention" flush>
      <ul>
        {problems.slice(0, OPEN).map((problem) => (
          <Line key={problem.key} problem={problem} {...locks} />
        ))}
      </ul>
      {rest.length > 0 && (
        <details className="border-t border-border text-sm">
          <summary className="flex min-h-10 items-center px-4 text-accent-text hover:underline">
            Show {rest.length} more
          </summary>
          <ul className="border-t border-border">
            {rest.map((problem) => (
              <Line key={problem.key} problem={problem} {...locks} />
            ))}
          </ul>
        </details>
      )}
    </Panel>
  )
}

function Line({ problem, senderLock, others }: Locks & { problem: Problem }) {
  const fix = problem.fix && (
    <ActionButton size="sm" act={problem.fix.act} aria-label={`${problem.fix.label}: ${problem.title}`}>
      {problem.fix.label}
    </ActionButton>
  )
  return (
    <li className="grid items-center gap-x-4 gap-y-1.5 border-b border-border px-4 py-3 text-sm last:border-0 md:grid-cols-[9rem_minmax(0,1fr)_auto]">
      <span>
        <StatusPill tone={problem.tone} mark="cross" label={problem.kind} />
      </span>
      <div className="min-w-0">
        <p className="font-medium wrap-anywhere">{problem.title}</p>
        {problem.detail && <p className="text-muted wrap-anywhere">{problem.detail}</p>}
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        {senderLock && problem.fix?.isOfSenders ? (
          <LockProvider lock={senderLock}>{fix}</LockProvider>
        ) : (
          <RowLock others={others} id={problem.fix?.campaign_id ?? ''}>
            {fix}
          </RowLock>
        )}
        <Link href={problem.remedy.href} className="rounded-xs font-medium text-accent-text hover:underline">
          {problem.remedy.label}
        </Link>
      </div>
    </li>
  )
}
