'use client'

import { useEffect, useRef } from 'react'

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))

/**
 * Single keys for what stands on the page under `data-key`: a control of text gets the focus, anything else is pressed.
 * Off while typing and while a dialog or menu is open; Esc leaves a control of text.
 */
export function ThreadKeys({ read }: { read?: () => Promise<unknown> }) {
  // Once, as it is opened: whoever marks it unread afterwards means it.
  const isOpened = useRef(false)
  useEffect(() => {
    if (!isOpened.current) void read?.()
    isOpened.current = true
  }, [read])

  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (event.key === 'Escape' && isTyping(event.target)) (event.target as HTMLElement).blur()
      const isBusy = isTyping(event.target) || document.querySelector('dialog[open], [popover]:popover-open')
      if (isBusy || event.ctrlKey || event.metaKey || event.altKey || !/^[a-z]$/.test(event.key)) return
      const control = document.querySelector<HTMLElement>(`[data-key="${event.key}"]`)
      if (!control) return
      event.preventDefault()
      if (control.matches('input, textarea')) control.focus()
      else control.click()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  return null
}
