'use client'

import { clsx } from 'clsx'
import { type PointerEvent, useRef, useState } from 'react'
import { useLock } from '#components/ui/controls/lock'
import type { Campaign } from '#lib/contracts/campaigns/campaign'
import { listWindows } from '#lib/domain/calendar/sending-windows'
import { type Span, spanFrom, splitAtWeekEnd } from './week-span.ts'
import { WindowTimes } from './window-times.tsx'

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
const LABELS = { mon: 'Mon', tue: 'Tue', wed: 'Wed', thu: 'Thu', fri: 'Fri', sat: 'Sat', sun: 'Sun' }
const HOURS = [0, 6, 12, 18, 24]

type Day = (typeof DAYS)[number]
type Hours = 'send_days' | 'sending_window_start' | 'sending_window_end' | 'sending_windows'
type Props = { campaign: Pick<Campaign, Hours>; isLocked: boolean }

/**
 * The sending windows over a week. Dragging across a day sets both times of the window edited last (for all
 * days, since a campaign has the same windows on each) and selects the day. Days and times are also ordinary
 * controls, for use by keyboard.
 */
export function WeekGrid({ campaign, isLocked: isFixed }: Props) {
  const isLocked = useLock() !== null || isFixed
  const [days, setDays] = useState<readonly string[]>(campaign.send_days)
  const [spans, setSpans] = useState<readonly Span[]>(
    listWindows(campaign).map(({ start, end }) => ({ from: start.slice(0, 5), to: end.slice(0, 5) })),
  )
  const [edited, setEdited] = useState(0)
  const setSpan = (span: Span) => setSpans(spans.map((one, index) => (index === edited ? span : one)))
  const box = useRef<HTMLInputElement>(null)
  // Dragging emits no input event, so the form is notified here.
  const tellForm = () => box.current?.click()
  const pulls = usePulls(isLocked, setSpan, tellForm)
  const dayPulls = (day: Day) => pulls(() => !days.includes(day) && setDays([...days, day]))

  return (
    <div className="grid gap-4">
      <fieldset>
        <legend className="sr-only">Days</legend>
        {DAYS.map((day) => {
          const isOn = days.includes(day)
          return (
            <div key={day} className="grid grid-cols-[4.25rem_minmax(0,1fr)] items-center">
              <label className="flex min-h-7 items-center gap-2 text-sm">
                <input
                  type="checkbox"
                  name="send_days"
                  value={day}
                  checked={isOn}
                  onChange={() => setDays(isOn ? days.filter((one) => one !== day) : [...days, day])}
                  className="size-4 accent-accent"
                />
                {LABELS[day]}
              </label>
              <DayStrip isLocked={isLocked} spans={isOn ? spans : []} pulls={dayPulls(day)} />
            </div>
          )
        })}
        <div aria-hidden className="ml-[4.25rem] flex justify-between text-2xs text-muted">
          {HOURS.map((hour) => (
            <span key={hour}>{String(hour).padStart(2, '0')}</span>
          ))}
        </div>
        <input ref={box} type="checkbox" hidden aria-hidden="true" tabIndex={-1} />
      </fieldset>
      <WindowTimes spans={spans} onChange={setSpans} onEdit={setEdited} onCount={tellForm} />
    </div>
  )
}

type Pulls = Record<'onPointerDown' | 'onPointerMove' | 'onPointerUp' | 'onPointerCancel', PointerHandler>
type PointerHandler = (event: PointerEvent<HTMLElement>) => void

const minuteAt = (event: PointerEvent<HTMLElement>) => {
  const { left, width } = event.currentTarget.getBoundingClientRect()
  return (1440 * (event.clientX - left)) / width
}

/** Pointer handlers of a strip on which a span is drawn; `onBegin` runs when drawing starts. */
function usePulls(isLocked: boolean, onDrawn: (span: Span) => void, onEnd: () => void) {
  const pulled = useRef<number | null>(null)
  const end = () => {
    if (pulled.current === null) return
    pulled.current = null
    onEnd()
  }
  return (onBegin: () => void): Pulls => ({
    onPointerDown: (event) => {
      if (isLocked || event.button !== 0) return
      event.currentTarget.setPointerCapture(event.pointerId)
      pulled.current = minuteAt(event)
      onBegin()
    },
    onPointerMove: (event) => {
      if (pulled.current === null) return
      const drawn = spanFrom(pulled.current, minuteAt(event))
      if (drawn) onDrawn(drawn)
    },
    onPointerUp: end,
    onPointerCancel: end,
  })
}

/** One day from midnight to midnight; without spans nothing is sent. */
function DayStrip({ isLocked, spans, pulls }: { isLocked: boolean; spans: readonly Span[]; pulls: Pulls }) {
  return (
    <div
      {...pulls}
      className={clsx(
        'relative h-6 touch-pan-y overflow-hidden rounded-xs border border-border bg-sunken select-none',
        !isLocked && 'cursor-crosshair',
      )}
    >
      {HOURS.slice(1, -1).map((hour) => (
        <span
          key={hour}
          className="absolute inset-y-0 w-px bg-border"
          style={{ left: `${(100 * hour) / 24}%` }}
        />
      ))}
      {spans.flatMap(splitAtWeekEnd).map(({ left, width }) => (
        <span
          key={`${left} ${width}`}
          className="absolute inset-y-0.5 rounded-xs bg-accent"
          style={{ left: `${left}%`, width: `${width}%` }}
        />
      ))}
    </div>
  )
}
