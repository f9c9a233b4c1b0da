import Link from 'next/link'
import { ActionButton } from '#components/ui/controls/action-button'
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
  /** What fixes it with one click, where that is possible. */
  fix?: { act: Act; label: string; isOfSenders?: true }
}

/** So many stand open; the rest waits behind a line, so that the day itself stays in sight. */
const OPEN = 5

/** What needs a hand, the gravest first, each with the link that fixes it; `senderLock` for whom senders are not theirs to mend. */
export function ProblemList({ problems, senderLock }: { problems: Problem[]; senderLock: Lock | null }) {
  if (problems.length === 0) return null
  const rest = problems.slice(OPEN)
  return (
    <Panel title="Needs your attention" flush>
      <ul>
        {problems.slice(0, OPEN).map((problem) => (
          <Line key={problem.key} problem={problem} senderLock={senderLock} />
        ))}
      </ul>
      {rest.length > 0 && (
        <details className="border-t border-border text-sm">
          <summary className="flex min-h-10 items-center px-4 text-accent-text hover:underline">
            Show {rest.length} more
          </summary>
          <ul className="border-t border-border">
            {rest.map((problem) => (
              <Line key={problem.key} problem={problem} senderLock={senderLock} />
            ))}
          </ul>
        </details>
      )}
    </Panel>
  )
}

function Line({ problem, senderLock }: { problem: Problem; senderLock: Lock | null }) {
  const fix = problem.fix && (
    <ActionButton size="sm" act={problem.fix.act} aria-label={`${problem.fix.label}: ${problem.title}`}>
      {problem.fix.label}
    </ActionButton>
  )
  return (
    <li className="grid items-center gap-x-4 gap-y-1.5 border-b border-border px-4 py-3 text-sm last:border-0 sm:grid-cols-[9rem_minmax(0,1fr)_auto]">
      <span>
        <StatusPill tone={problem.tone} mark="cross" label={problem.kind} />
      </span>
      <div className="min-w-0">
        <p className="font-medium wrap-anywhere">{problem.title}</p>
        {problem.detail && <p className="text-muted wrap-anywhere">{problem.detail}</p>}
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        {senderLock && problem.fix?.isOfSenders ? <LockProvider lock={senderLock}>{fix}</LockProvider> : fix}
        <Link href={problem.remedy.href} className="rounded-xs font-medium text-accent-text hover:underline">
          {problem.remedy.label}
        </Link>
      </div>
    </li>
  )
}
