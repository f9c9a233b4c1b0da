import { ChevronLeft, ChevronRight } from 'lucide-react'
import { FilterChips } from '#components/ui/controls/filter-chips'
import { LinkButton } from '#components/ui/controls/link-button'
import { Panel } from '#components/ui/layout/panel'
import { type CalendarDay, CalendarGrid, type MovePost } from './calendar-grid.tsx'

type View = 'month' | 'week'
type Props = {
  view: View
  /** The month or week being shown, and the days before and after it. */
  month: string
  week: string
  before: string
  after: string
  timezone: string
  /** Local time in the zone, YYYY-MM-DDTHH:MM. */
  now_local: string
  days: CalendarDay[]
  move: MovePost
}

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

const toHref = (view: View, day: string) =>
  view === 'week' ? `/posts/calendar?week=${day}` : `/posts/calendar?month=${day.slice(0, 7)}`

const inWords = (day: string, style: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { ...style, timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`))
const monthTitle = (day: string) => inWords(`${day.slice(0, 7)}-01`, { month: 'long', year: 'numeric' })
const dayTitle = (day: string) => inWords(day, { day: 'numeric', month: 'short', year: 'numeric' })

/** A month or a week starting on Monday; on a phone a list of days with posts. */
export function PostCalendar({ view, month, week, before, after, days, ...grid }: Props) {
  const isWeek = view === 'week'
  const [first, last] = [days[0]?.date ?? week, days.at(-1)?.date ?? week]
  const spanName = (day: string) =>
    isWeek ? `the week ${day < first ? 'before' : 'after'}` : monthTitle(day)
  return (
    <Panel
      title={isWeek ? `${dayTitle(first)} – ${dayTitle(last)}` : monthTitle(month)}
      description={`Times in ${grid.timezone}. Drag a scheduled post to another day, or press Alt and an arrow key on it.`}
      action={
        <span className="flex flex-wrap items-center gap-2">
          <FilterChips
            label="Span"
            chips={[
              { href: toHref('month', week), label: 'Month', current: !isWeek },
              { href: toHref('week', week), label: 'Week', current: isWeek },
            ]}
          />
          <span className="flex gap-1">
            <Step label={`To ${spanName(before)}`} href={toHref(view, before)}>
              <ChevronLeft aria-hidden />
            </Step>
            <LinkButton
              size="sm"
              href={isWeek ? toHref('week', grid.now_local.slice(0, 10)) : '/posts/calendar'}
            >
              Today
            </LinkButton>
            <Step label={`To ${spanName(after)}`} href={toHref(view, after)}>
              <ChevronRight aria-hidden />
            </Step>
          </span>
        </span>
      }
      flush
    >
      <div aria-hidden className="hidden grid-cols-7 border-b border-border text-xs text-muted sm:grid">
        {WEEKDAYS.map((day) => (
          <span key={day} className="px-2 py-1.5">
            {day}
          </span>
        ))}
      </div>
      <CalendarGrid days={days} isWeek={isWeek} {...grid} />
      {days.every(({ posts }) => posts.length === 0) && (
        <div className="grid justify-items-center gap-3 px-4 py-8 text-sm text-muted sm:border-t sm:border-border">
          <p>Nothing is scheduled or published this {view}.</p>
          <LinkButton href="/posts/new">Write a post</LinkButton>
        </div>
      )}
    </Panel>
  )
}

function Step({ label, href, children }: { label: string; href: string; children: React.ReactNode }) {
  return (
    <LinkButton href={href} aria-label={label} variant="ghost" size="icon-sm">
      {children}
    </LinkButton>
  )
}
