import { CircleCheck, CircleX, Info, TriangleAlert } from 'lucide-react'
import Link from 'next/link'
import { Panel } from '#components/ui/panel'

/** `blocks` stops the launch, `warns` deserves a look, `informs` is good to know, `passes` is in order. */
export type ReviewCheck = {
  level: 'blocks' | 'warns' | 'informs' | 'passes'
  title: string
  detail?: string
  /** Where it can be mended. */
  mend?: { href: string; label: string }
}

const LEVELS = {
  blocks: { icon: CircleX, ink: 'text-danger', label: 'Blocks the launch' },
  warns: { icon: TriangleAlert, ink: 'text-warning', label: 'Warning' },
  informs: { icon: Info, ink: 'text-info', label: 'Good to know' },
  passes: { icon: CircleCheck, ink: 'text-success', label: 'In order' },
}
const ORDER = ['blocks', 'warns', 'informs', 'passes'] as const

/** What stands between the campaign and its launch, the gravest first; each with the link that mends it. */
export function ReviewList({ checks }: { checks: ReviewCheck[] }) {
  const sorted = ORDER.flatMap((level) => checks.filter((check) => check.level === level))
  return (
    <Panel title="Checks" flush>
      <ul>
        {sorted.map((check) => {
          const { icon: Icon, ink, label } = LEVELS[check.level]
          return (
            <li
              key={check.title}
              className="flex items-start gap-3 border-b border-border px-4 py-3 text-sm last:border-0"
            >
              <Icon role="img" aria-label={label} className={`mt-0.5 size-4 shrink-0 ${ink}`} />
              <div className="min-w-0 flex-1">
                <p className="font-medium">{check.title}</p>
                {check.detail && <p className="text-muted">{check.detail}</p>}
              </div>
              {check.mend && (
                <Link
                  href={check.mend.href}
                  className="shrink-0 rounded-xs font-medium text-accent-text hover:underline"
                >
                  {check.mend.label}
                </Link>
              )}
            </li>
          )
        })}
      </ul>
    </Panel>
  )
}
