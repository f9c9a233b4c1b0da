'use client'

import { useRef, useSyncExternalStore } from 'react'
import { Button } from '#components/ui/controls/button'

const never = () => () => undefined

/** Offers this browser's zone if another one is saved: selects it in the surrounding form without saving. */
export function BrowserZone({ kept, zones }: { kept: string; zones: string[] }) {
  const place = useRef<HTMLSpanElement>(null)
  const own = useSyncExternalStore(
    never,
    () => Intl.DateTimeFormat().resolvedOptions().timeZone,
    () => kept,
  )
  function choose() {
    const control = place.current?.closest('form')?.elements.namedItem('timezone')
    if (!(control instanceof HTMLSelectElement)) return
    control.value = own
    control.focus()
  }
  if (own === kept || !zones.includes(own)) return null
  return (
    <span ref={place} className="mt-2 block">
      <Button size="sm" onClick={choose}>
        Use {own}, as in this browser
      </Button>
    </span>
  )
}
