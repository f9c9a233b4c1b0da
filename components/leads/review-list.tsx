import { CircleCheck, CircleX, Info, TriangleAlert } from 'lucide-react'
import { Link } from '#components/ui/controls/link'
import { LinkButton } from '#components/ui/controls/link-button'
import { Panel } from '#components/ui/layout/panel'

/** `blocks` prevents the launch, `warns` deserves a look, `informs` is good to know, `passes` is in order. */
export type ReviewCheck = {
  level: 'blocks' | 'warns' | 'informs' | 'passes'
  title: string
  detail?: string
  /** Link to the page that fixes it. */
  remedy?: { href: string; label: string }
}

const LEVELS = {
  blocks: { icon: CircleX, ink: 'text-danger', label: 'Blocks the launch' },
  warns: { icon: TriangleAlert, ink: 'text-warning', label: 'Warnings' },
  informs: { icon: Info, ink: 'text-info', label: 'Good to know' },
  passes: { icon: CircleCheck, ink: 'text-success', label: 'Passed' },
}
const ORDER = ['blocks', 'warns', 'informs', 'passes'] as const

type Props = {
  checks: ReviewCheck[]
  /** Set if fixing blockers is the next thing to do: the first one then has the page's main button. */
  isNext?: boolean
}

/** The launch checks, most severe first, each with a link to the fix. */
export function ReviewList({ checks, isNext = false }: Props) {
  const next = isNext ? checks.find(({ level, remedy }) => level === 'blocks' && remedy) : undefined
  const groups = ORDER.map((level) => ({ level, matching: checks.filter((check) => check.level === level) }))
  return (
    <Panel title="Checks" flush>
      {groups
        .filter(({ matching }) => matching.length > 0)
        .map(({ level, matching }) => (
          <Level key={level} level={level} checks={matching} next={next} />
        ))}
    </Panel>
  )
}

type LevelProps = { level: ReviewCheck['level']; checks: ReviewCheck[]; next: ReviewCheck | undefined }

function Level({ level, checks, next }: LevelProps) {
  const { icon: Icon, ink, label } = LEVELS[level]
  return (
    <section className="border-b border-border last:border-0">
      <h3 className="bg-sunken px-4 py-1.5 text-xs font-medium text-muted">
        {label} <span className="tabular-nums">({checks.length})</span>
      </h3>
      <ul>
        {checks.map((check) => (
          <li
            key={check.title}
            className="flex items-start gap-3 border-b border-border px-4 py-3 text-sm last:border-0"
          >
            <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${ink}`} />
            {/* If text and link do not fit beside each other, the link goes below. */}
            <div className="flex min-w-0 flex-1 flex-wrap items-start gap-x-3 gap-y-1">
              <div className="min-w-0 flex-1 basis-60">
                <p className="font-medium wrap-anywhere">{check.title}</p>
                {check.detail && <p className="text-muted">{check.detail}</p>}
              </div>
              {check.remedy && <Remedy remedy={check.remedy} of={check.title} isNext={check === next} />}
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}

type RemedyProps = { remedy: NonNullable<ReviewCheck['remedy']>; of: string; isNext: boolean }

function Remedy({ remedy: { href, label }, of, isNext }: RemedyProps) {
  const told = { href, 'aria-label': `${label}: ${of}` }
  if (isNext)
    return (
      <LinkButton {...told} size="sm" variant="primary" className="shrink-0">
        {label}
      </LinkButton>
    )
  return (
    <Link
      {...told}
      className="inline-flex min-h-6 shrink-0 items-center rounded-xs font-medium text-accent-text hover:underline"
    >
      {label}
    </Link>
  )
}
