'use client'

import { type ReactNode, type RefObject, useEffect, useId, useRef } from 'react'

/** A short help text on hover and focus. */
export function Tooltip({ text, children }: { text: string; children: ReactNode }) {
  const id = useId()
  const anchor = useRef<HTMLButtonElement>(null)
  return (
    <>
      <button
        ref={anchor}
        type="button"
        aria-describedby={id}
        className="min-h-6 cursor-help rounded-xs underline decoration-muted decoration-dotted underline-offset-4"
      >
        {children}
      </button>
      <Tip {...{ id, text, anchor }} />
    </>
  )
}

type Props = { id?: string; text: string; anchor: RefObject<HTMLElement | null> }

/** The tooltip of a control. Esc hides it; the pointer may enter it (WCAG 1.4.13). */
export function Tip({ id, text, anchor }: Props) {
  const tip = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    const [from, shown] = [anchor.current, tip.current]
    return from && shown ? listen(from, shown) : undefined
  }, [anchor])
  return (
    <span
      ref={tip}
      id={id}
      role="tooltip"
      popover="manual"
      className="fixed inset-auto m-0 max-w-72 rounded-sm bg-inverse px-2 py-1 text-xs text-on-inverse"
    >
      {text}
    </span>
  )
}

/** Shows the tooltip for its element; returns a function that stops it. */
function listen(from: HTMLElement, tip: HTMLElement): () => void {
  const listening = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const later = (act: () => void, delayMs: number) => () => {
    clearTimeout(timer)
    timer = setTimeout(act, delayMs)
  }
  const show = () => {
    const at = from.getBoundingClientRect()
    tip.showPopover()
    const { offsetWidth: width, offsetHeight: height } = tip
    tip.style.left = `${Math.max(8, Math.min(at.left + at.width / 2 - width / 2, innerWidth - width - 8))}px`
    tip.style.top = `${at.top > height + 8 ? at.top - height - 6 : at.bottom + 6}px`
  }
  const hide = () => {
    clearTimeout(timer)
    if (tip.matches(':popover-open')) tip.hidePopover()
  }
  const on = (element: HTMLElement, type: string, act: (event: Event) => void) =>
    element.addEventListener(type, act, { signal: listening.signal })
  on(from, 'pointerenter', later(show, 300))
  on(from, 'pointerleave', later(hide, 150))
  on(from, 'focus', show)
  on(from, 'blur', hide)
  on(from, 'keydown', (event) => event instanceof KeyboardEvent && event.key === 'Escape' && hide())
  on(tip, 'pointerenter', () => clearTimeout(timer))
  on(tip, 'pointerleave', later(hide, 150))
  return () => {
    clearTimeout(timer)
    listening.abort()
  }
}
