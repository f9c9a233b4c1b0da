'use client'

import { CircleCheck, CircleX, X } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { IconButton } from '../controls/icon-button.tsx'
import { type Toast, toast, useToasts } from './toast.tsx'

const USUAL_MS = 4000

/**
 * Success toasts disappear after 4 s; errors stay until closed. Alt+T moves the focus there. The live region
 * exists from the start, and nothing disappears while it is hovered or focused or the page is hidden.
 */
export function Toaster() {
  const toasts = useToasts()
  const region = useRef<HTMLElement>(null)
  const [isHeld, setHeld] = useState(false)

  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.altKey && event.code === 'KeyT') region.current?.focus()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
  const isEmpty = toasts.length === 0
  // When the last toast is removed, no event reports that hover or focus ended.
  if (isEmpty && isHeld) setHeld(false)

  return (
    <section
      ref={region}
      tabIndex={-1}
      aria-label="What just happened"
      aria-live="polite"
      aria-relevant="additions text"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      className="toaster fixed right-4 bottom-[4.5rem] z-50 grid max-w-[calc(100vw-2rem)] gap-2 rounded-md sm:right-6 sm:bottom-6"
    >
      {toasts.map((one) => (
        <Receipt key={one.id} toast={one} isHeld={isHeld} />
      ))}
    </section>
  )
}

const ICONS = {
  success: <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-success" />,
  error: <CircleX aria-hidden className="mt-0.5 size-4 shrink-0 text-danger" />,
  plain: null,
}

function Receipt({ toast: shown, isHeld }: { toast: Toast; isHeld: boolean }) {
  const { id, tone, text, action, duration = USUAL_MS } = shown
  const close = () => toast.dismiss(id)
  useLeaving(close, isHeld ? Number.POSITIVE_INFINITY : duration)
  return (
    <div className="relative flex w-[22rem] max-w-full animate-enter items-start gap-2.5 rounded-md bg-raised p-3 pr-9 text-sm shadow-raised">
      {ICONS[tone]}
      <p className="min-w-0 flex-1 font-medium wrap-anywhere">{text}</p>
      {action && (
        <button
          type="button"
          className="-my-0.5 h-6 shrink-0 rounded-xs px-2 font-medium text-accent-text hover:bg-hover"
          onClick={() => {
            action.onClick()
            close()
          }}
        >
          {action.label}
        </button>
      )}
      <span className="absolute top-2 right-1.5">
        <IconButton small label="Close" onClick={close}>
          <X />
        </IconButton>
      </span>
    </div>
  )
}

/** Dismisses after a time, or when the page becomes visible again. */
function useLeaving(leave: () => void, ms: number) {
  const go = useEffectEvent(leave)
  useEffect(() => {
    if (!Number.isFinite(ms)) return
    const timer = setTimeout(() => {
      if (!document.hidden) return go()
      document.addEventListener('visibilitychange', go, { once: true })
    }, ms)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', go)
    }
  }, [ms])
}
