'use client'

import { useEffect, useRef } from 'react'

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))

/** With an open conversation, j and k open the next or previous one instead of moving the focus. */
function openNext(event: KeyboardEvent) {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row-link]')]
  const at = rows.findIndex((row) => row.getAttribute('aria-current') === 'true')
  const next = rows[at + (event.key === 'j' ? 1 : -1)]
  event.stopPropagation()
  if (at < 0 || !next) return
  next.focus()
  next.click()
}

/**
 * Single-key shortcuts for elements with `data-key`: a text field is focused, anything else is clicked.
 * Disabled while typing and while a dialog or menu is open; Esc leaves a text field.
 */
export function ThreadKeys({ read }: { read?: () => Promise<unknown> }) {
  // Only once on opening: marking it unread afterwards is intended.
  const isOpened = useRef(false)
  useEffect(() => {
    if (!isOpened.current) void read?.()
    isOpened.current = true
  }, [read])

  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (event.key === 'Escape' && isTyping(event.target) && event.target instanceof HTMLElement)
        event.target.blur()
      const isBusy =
        isTyping(event.target) ||
        document.querySelector('html[data-jump], dialog[open], [popover]:popover-open')
      if (isBusy || event.ctrlKey || event.metaKey || event.altKey || !/^[a-z0-9]$/.test(event.key)) return
      if (event.key === 'j' || event.key === 'k') return openNext(event)
      const marked = document.querySelector<HTMLElement>(`[data-key="${event.key}"]`)
      // For a menu, the mark is on the element around its button.
      const control = marked?.matches('span') ? marked.querySelector('button') : marked
      if (!control) return
      event.preventDefault()
      if (control.matches('input, textarea')) control.focus()
      else control.click()
    }
    document.addEventListener('keydown', onKey, { capture: true })
    return () => document.removeEventListener('keydown', onKey, { capture: true })
  }, [])
  return null
}
