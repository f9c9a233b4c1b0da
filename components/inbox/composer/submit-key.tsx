import type { KeyboardEvent } from 'react'

/** Ctrl+Enter, or ⌘+Enter, sends the form around; answers whether it was that. */
export function submitsByKey(event: KeyboardEvent<HTMLTextAreaElement>): boolean {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return false
  event.preventDefault()
  event.currentTarget.form?.requestSubmit()
  return true
}
