import { clsx } from 'clsx'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import Link from 'next/link'
import { postLook } from '#components/posts/post-status'
import { LinkButton } from '#components/ui/controls/link-button'
import { Panel } from '#components/ui/layout/panel'
import { ZonedTime } from '#components/ui/zoned-time'
import type { SocialPost } from '#lib/contracts/posts/social-posts'

type Entry = { at: string; post: Pick<SocialPost, 'id' | 'text' | 'status' | 'uncertain'> }
type Day = { date: string; in_month: boolean; is_today: boolean; posts: Entry[] }
type Props = { month: string; before: string; after: string; timezone: string; days: Day[] }

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const MARKS: Record<string, string> = {
  success: 'border-l-success',
  danger: 'border-l-danger',
  warning: 'border-l-warning',
  info: 'border-l-info',
  accent: 'border-l-accent',
  neutral: 'border-l-control',
}

const monthTitle = (month: string) =>
  new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${month}-01T00:00:00Z`),
  )

/** A month from Monday on; on a phone the days that have something, one below the other. */
export function PostCalendar({ month, before, after, timezone, days }: Props) {
  return (
    <Panel
      title={monthTitle(month)}
      description={`Days and times in ${timezone}`}
      action={
        <span className="flex gap-1">
          <Step label={`To ${monthTitle(before)}`} month={before}>
            <ChevronLeft aria-hidden />
          </Step>
          <LinkButton size="sm" href="/posts/calendar">
            Today
          </LinkButton>
          <Step label={`To ${monthTitle(after)}`} month={after}>
            <ChevronRight aria-hidden />
          </Step>
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
      <ol className="grid grid-cols-[minmax(0,1fr)] sm:grid-cols-[repeat(7,minmax(0,1fr))]">
        {days.map((day) => (
          <DayCell key={day.date} day={day} timezone={timezone} />
        ))}
      </ol>
      {days.every(({ posts }) => posts.length === 0) && (
        <p className="px-4 py-6 text-center text-sm text-muted sm:border-t sm:border-border">
          Nothing is scheduled this month.
        </p>
      )}
    </Panel>
  )
}

function Step({ label, month, children }: { label: string; month: string; children: React.ReactNode }) {
  const href = `/posts/calendar?month=${month}`
  return (
    <LinkButton href={href} aria-label={label} variant="ghost" size="icon-sm">
      {children}
    </LinkButton>
  )
}

function DayCell({ day, timezone }: { day: Day; timezone: string }) {
  const { date, in_month, is_today, posts } = day
  const named = new Intl.DateTimeFormat('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
  })
  return (
    <li
      className={clsx(
        'min-w-0 border-b border-border p-2 sm:min-h-28 sm:border-r sm:[&:nth-child(7n)]:border-r-0 sm:[&:nth-last-child(-n+7)]:border-b-0',
        posts.length === 0 && 'max-sm:hidden',
        !in_month && 'bg-sunken',
      )}
    >
      <time
        dateTime={date}
        aria-current={is_today ? 'date' : undefined}
        className={clsx('text-xs', is_today ? 'font-semibold text-accent-text' : 'text-muted')}
      >
        <span className="sm:sr-only">{named.format(new Date(`${date}T00:00:00Z`))}</span>
        <span aria-hidden className="max-sm:hidden">
          {Number(date.slice(8))}
          {is_today && ' · today'}
        </span>
      </time>
      <ul className="mt-1 grid gap-1">
        {posts.map(({ at, post }) => {
          const { tone, label } = postLook(post)
          return (
            <li key={post.id}>
              <Link
                href={`/posts/${post.id}`}
                title={label}
                className={clsx(
                  'block rounded-xs border border-l-3 border-border bg-surface px-1.5 py-1 text-xs hover:bg-hover',
                  MARKS[tone],
                )}
              >
                <span className="text-muted">
                  <ZonedTime at={at} zone={timezone} style="time" /> {label}
                </span>
                <span className="line-clamp-2 wrap-anywhere">{post.text}</span>
              </Link>
            </li>
          )
        })}
      </ul>
    </li>
  )
}
