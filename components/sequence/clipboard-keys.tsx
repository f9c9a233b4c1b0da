import type { KeyboardEvent } from 'react'

type Acts = { onCopy: () => void; onPaste: (() => void) | null }

/** Ctrl+C and Ctrl+V on a step, unless text is selected. */
export function byClipboard(event: KeyboardEvent, { onCopy, onPaste }: Acts): boolean {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return false
  if (event.key === 'c' && window.getSelection()?.isCollapsed !== false) onCopy()
  else if (event.key === 'v') onPaste?.()
  else return false
  return true
}
