'use client'

import { type ReactNode, useId, useRef } from 'react'

/** A word of help on hover and focus. Esc hides it; the pointer may enter it (WCAG 1.4.13). */
export function Tooltip({ text, children }: { text: string; children: ReactNode }) {
  const id = useId()
  const anchor = useRef<HTMLButtonElement>(null)
  const tip = useRef<HTMLSpanElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  function later(act: () => void, delayMs: number) {
    clearTimeout(timer.current)
    timer.current = setTimeout(act, delayMs)
  }
  function show() {
    const at = anchor.current?.getBoundingClientRect()
    if (!tip.current || !at) return
    tip.current.showPopover()
    const { offsetWidth: width, offsetHeight: height } = tip.current
    tip.current.style.left = `${Math.max(8, Math.min(at.left + at.width / 2 - width / 2, innerWidth - width - 8))}px`
    tip.current.style.top = `${at.top > height + 8 ? at.top - height - 6 : at.bottom + 6}px`
  }
  function hide() {
    clearTimeout(timer.current)
    if (tip.current?.matches(':popover-open')) tip.current.hidePopover()
  }

  return (
    <>
      <button
        ref={anchor}
        type="button"
        aria-describedby={id}
        onPointerEnter={() => later(show, 300)}
        onPointerLeave={() => later(hide, 150)}
        onFocus={show}
        onBlur={hide}
        onKeyDown={(event) => event.key === 'Escape' && hide()}
        className="min-h-6 cursor-help rounded-xs underline decoration-muted decoration-dotted underline-offset-4"
      >
        {children}
      </button>
      <span
        ref={tip}
        id={id}
        role="tooltip"
        popover="manual"
        onPointerEnter={() => clearTimeout(timer.current)}
        onPointerLeave={() => later(hide, 150)}
        className="fixed inset-auto m-0 max-w-72 rounded-sm bg-inverse px-2 py-1 text-xs text-on-inverse"
      >
        {text}
      </span>
    </>
  )
}
