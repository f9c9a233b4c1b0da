import type { KeyboardEvent } from 'react'

/** Submits the form on Ctrl+Enter or ⌘+Enter; returns whether the event was that. */
export function submitsByKey(event: KeyboardEvent<HTMLTextAreaElement>): boolean {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return false
  event.preventDefault()
  event.currentTarget.form?.requestSubmit()
  return true
}
