'use client'

import { clsx } from 'clsx'
import { type DragEvent, type KeyboardEvent, useEffect, useRef, useState, useTransition } from 'react'
import { postLook } from '#components/posts/post-status'
import type { FormResult } from '#components/ui/controls/action-form'
import { Link } from '#components/ui/controls/link'
import { useLock } from '#components/ui/controls/lock'
import { toast } from '#components/ui/overlays/toast'
import type { SocialPost } from '#lib/contracts/posts/social-posts'

export type CalendarPost = Pick<SocialPost, 'id' | 'text' | 'status' | 'uncertain' | 'version'>
/** `time` is HH:MM in the calendar's zone. */
type Entry = { at: string; time: string; post: CalendarPost }
export type CalendarDay = {
  date: string
  in_month: boolean
  is_today: boolean
  is_over: boolean
  posts: Entry[]
}
export type MovePost = (id: string, version: number, scheduled_local: string) => Promise<FormResult>

type Props = { days: CalendarDay[]; timezone: string; now_local: string; isWeek: boolean; move: MovePost }

const MARKS: Record<string, string> = {
  success: 'border-l-success',
  danger: 'border-l-danger',
  warning: 'border-l-warning',
  info: 'border-l-info',
  accent: 'border-l-accent',
  neutral: 'border-l-control',
}
const STEPS: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }
const FOREVER = { duration: Number.POSITIVE_INFINITY }

const named = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
})
const dayWords = (date: string) => named.format(new Date(`${date}T00:00:00Z`))
const isMovable = ({ status, uncertain }: CalendarPost) => status === 'scheduled' && !uncertain

/** Moves a post to another day at the same time; past days are refused. The focus follows the post. */
function useMoves({ days, now_local, move }: Pick<Props, 'days' | 'now_local' | 'move'>) {
  const [isPending, startTransition] = useTransition()
  const [moved, setMoved] = useState<string | null>(null)
  useEffect(() => {
    if (moved === null || isPending) return
    document.querySelector<HTMLElement>(`[data-post="${moved}"]`)?.focus()
    setMoved(null)
  }, [moved, isPending])

  function send({ post, time }: Entry, date: string) {
    startTransition(async () => {
      const lost: FormResult = {
        ok: false,
        message: 'The server could not be reached. The post stays where it was.',
      }
      const result = await move(post.id, post.version, `${date}T${time}`).catch(() => lost)
      if (result.ok) toast.success(`Moved to ${dayWords(date)}, ${time}.`)
      else toast.error(result.message, FOREVER)
      setMoved(post.id)
    })
  }
  function toDay(entry: Entry, date: string) {
    const day = days.find((one) => one.date === date)
    if (!isMovable(entry.post) || day?.posts.includes(entry)) return
    if (`${date}T${entry.time}` < now_local)
      return void toast.error(`${dayWords(date)}, ${entry.time} is over.`)
    send(entry, date)
  }
  return { isPending, toDay }
}

const inDays = (date: string, days: number) =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)

/** The visible days. A scheduled post is moved by dragging, or with Alt and an arrow key. */
export function CalendarGrid({ days, timezone, now_local, isWeek, move }: Props) {
  const { isPending, toDay } = useMoves({ days, now_local, move })
  const isLocked = useLock() !== null
  const carried = useRef<Entry | null>(null)
  const [over, setOver] = useState<string | null>(null)
  const ends = () => {
    carried.current = null
    setOver(null)
  }
  return (
    <ol
      aria-busy={isPending}
      className="grid grid-cols-[minmax(0,1fr)] sm:grid-cols-[repeat(7,minmax(0,1fr))]"
    >
      {days.map((day) => (
        <li
          key={day.date}
          onDragOver={(event: DragEvent) => {
            if (!carried.current || day.is_over) return
            event.preventDefault()
            setOver(day.date)
          }}
          onDrop={() => {
            if (carried.current) toDay(carried.current, day.date)
            ends()
          }}
          className={clsx(
            'min-w-0 border-b border-border p-2 sm:border-r sm:[&:nth-child(7n)]:border-r-0 sm:[&:nth-last-child(-n+7)]:border-b-0',
            isWeek ? 'sm:min-h-80' : 'sm:min-h-28',
            day.posts.length === 0 && !day.is_today && 'max-sm:hidden',
            over === day.date ? 'bg-accent-subtle' : !day.in_month && 'bg-sunken',
          )}
        >
          <DayName day={day} />
          <ul className="mt-1 grid gap-1">
            {day.posts.map((entry) => (
              <li key={entry.post.id}>
                <PostEntry
                  entry={entry}
                  timezone={timezone}
                  isWeek={isWeek}
                  isHeld={isLocked || isPending || !isMovable(entry.post)}
                  onCarry={() => {
                    carried.current = entry
                  }}
                  onEnd={ends}
                  onStep={(step) => toDay(entry, inDays(day.date, step))}
                />
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ol>
  )
}

function DayName({ day: { date, is_today } }: { day: CalendarDay }) {
  return (
    <time dateTime={date} aria-current={is_today ? 'date' : undefined} className="text-xs text-muted">
      <span className="sm:sr-only">
        {dayWords(date)}
        {is_today && ' · today'}
      </span>
      <span
        aria-hidden
        className={clsx(
          'inline-grid size-5 place-items-center rounded-full max-sm:hidden',
          is_today && 'bg-accent font-semibold text-on-accent',
        )}
      >
        {Number(date.slice(8))}
      </span>
    </time>
  )
}

type EntryProps = {
  entry: Entry
  timezone: string
  isWeek: boolean
  /** Whether the post cannot be moved. */
  isHeld: boolean
  onCarry: () => void
  onEnd: () => void
  onStep: (days: number) => void
}

function PostEntry({ entry: { at, time, post }, timezone, isWeek, isHeld, ...on }: EntryProps) {
  const { tone, label } = postLook(post)
  function onKeyDown(event: KeyboardEvent) {
    const step = event.altKey && !event.ctrlKey && !event.metaKey ? STEPS[event.key] : undefined
    if (step === undefined) return
    // Alt and an arrow key would navigate back.
    event.preventDefault()
    if (!isHeld) on.onStep(step)
  }
  return (
    <Link
      href={`/posts/${post.id}`}
      data-post={post.id}
      title={isHeld ? label : `${label}. Drag it, or press Alt and an arrow key, to move it to another day.`}
      aria-keyshortcuts={isHeld ? undefined : 'Alt+ArrowLeft Alt+ArrowRight Alt+ArrowUp Alt+ArrowDown'}
      draggable={!isHeld}
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = 'move'
        on.onCarry()
      }}
      onDragEnd={on.onEnd}
      onKeyDown={onKeyDown}
      className={clsx(
        'block rounded-xs border border-l-3 border-border bg-surface px-1.5 py-1 text-xs hover:bg-hover',
        !isHeld && 'cursor-grab',
        MARKS[tone],
      )}
    >
      <span className="text-muted">
        <time dateTime={at} title={timezone}>
          {time}
        </time>{' '}
        {label}
      </span>
      <span className={clsx('wrap-anywhere', isWeek ? 'line-clamp-6' : 'line-clamp-2')}>{post.text}</span>
    </Link>
  )
}
