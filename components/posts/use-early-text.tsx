'use client'

import { useLayoutEffect, useState, useSyncExternalStore } from 'react'

const never = () => () => undefined

/**
 * What stood in a control when React took the page over, null where nobody had changed it: React puts back what the
 * server wrote, at once or with the next thing that changes. Read while the page is taken over and at no other time, as later the same
 * selector may find a control of the page that is being left.
 */
function useTypedEarly(selector: string, written: string): string | null {
  const isTakingOver = useSyncExternalStore(
    never,
    () => false,
    () => true,
  )
  const [early] = useState(() => {
    if (!isTakingOver || typeof document === 'undefined') return null
    const typed = document.querySelector<HTMLTextAreaElement | HTMLSelectElement>(selector)?.value ?? written
    return typed === written ? null : typed
  })
  return early
}

/**
 * The text of a controlled control, beginning with what was typed or chosen before the page listened. `text` is what the
 * page shows of it elsewhere, as the server wrote it until a moment later; `value` is for the control.
 */
export function useEarlyText(selector: string, written: string) {
  const early = useTypedEarly(selector, written)
  const [text, setText] = useState<string | null>(null)
  useLayoutEffect(() => {
    if (early !== null) setText(early)
  }, [early])
  return { text: text ?? written, value: text ?? early ?? written, setText }
}
