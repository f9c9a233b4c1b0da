'use client'

import { Ellipsis } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react'
import { buttonClass } from '../controls/button.tsx'

type Props = {
  label: string
  /** The button's content; three dots by default. */
  trigger?: ReactNode
  triggerClass?: string
  /** Tooltip of a button with only an icon. */
  hint?: string
  children: ReactNode
}

const GAP_PX = 4

/** Places the menu below the button, or above it if there is no room, within the window. */
function place(menu: HTMLElement, button: HTMLElement) {
  const at = button.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = menu
  const isTight = at.bottom + GAP_PX + height > window.innerHeight && at.top > height
  menu.style.top = `${isTight ? at.top - GAP_PX - height : at.bottom + GAP_PX}px`
  menu.style.left = `${Math.max(8, Math.min(at.right - width, window.innerWidth - width - 8))}px`
}

/** The native popover (top layer, light dismiss, Esc) with arrow key navigation. */
export function Menu({ label, trigger, triggerClass, hint, children }: Props) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const menu = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const close = (event: Event) => {
      const isInside = event.target instanceof Node && menu.current?.contains(event.target)
      if (!isInside && menu.current?.matches(':popover-open')) menu.current.hidePopover()
    }
    window.addEventListener('scroll', close, { capture: true, passive: true })
    return () => window.removeEventListener('scroll', close, { capture: true })
  }, [])

  function move(event: KeyboardEvent) {
    // Key events of a dialog opened by an item bubble through React, though it is not inside the menu.
    if (!(event.target instanceof Node && menu.current?.contains(event.target))) return
    const items = [
      ...(menu.current?.querySelectorAll<HTMLElement>('[role^="menuitem"]:not(:disabled)') ?? []),
    ]
    const at = items.findIndex((item) => item.matches(':focus'))
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key]
    if (event.key === 'Tab') menu.current?.hidePopover()
    if (next === undefined) return
    event.preventDefault()
    items.at(next % items.length)?.focus()
  }

  return (
    <>
      <button
        ref={button}
        type="button"
        popoverTarget={id}
        aria-label={label}
        title={hint}
        aria-haspopup="menu"
        className={triggerClass ?? buttonClass({ variant: 'ghost', size: 'icon-sm', className: 'relative' })}
      >
        {trigger ?? <Ellipsis aria-hidden />}
      </button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        role="menu"
        tabIndex={-1}
        aria-label={label}
        onKeyDown={move}
        onToggle={(event) => {
          if (event.newState !== 'open' || !button.current) return
          place(event.currentTarget, button.current)
          event.currentTarget.querySelector<HTMLElement>('[role^="menuitem"]')?.focus()
        }}
        className="fixed inset-auto m-0 max-h-[calc(100dvh-1rem)] min-w-44 overflow-y-auto rounded-md bg-raised p-1 text-left font-normal shadow-raised open:animate-enter"
      >
        {children}
      </div>
    </>
  )
}
