'use client'

import { useLayoutEffect, useState, useSyncExternalStore } from 'react'

const never = () => () => undefined

/**
 * A control's value when React hydrated the page, or null if it was unchanged: React would restore the
 * server's value, at once or with the next update. Read only during hydration, because later the selector may
 * match a control of the page being left.
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
 * The text of a controlled control, starting with what was typed or chosen before hydration. `text` is for
 * display elsewhere and equals the server's value for a moment; `value` is for the control.
 */
export function useEarlyText(selector: string, written: string) {
  const early = useTypedEarly(selector, written)
  const [text, setText] = useState<string | null>(null)
  useLayoutEffect(() => {
    if (early !== null) setText(early)
  }, [early])
  return { text: text ?? written, value: text ?? early ?? written, setText }
}
