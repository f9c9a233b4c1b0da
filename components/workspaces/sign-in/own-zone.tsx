'use client'

import { useSyncExternalStore } from 'react'

const never = () => () => undefined

/** Adds this browser's time zone to the surrounding form; nothing without scripts. */
export function OwnZone() {
  const zone = useSyncExternalStore(
    never,
    () => Intl.DateTimeFormat().resolvedOptions().timeZone,
    () => '',
  )
  return <input type="hidden" name="timezone" value={zone} />
}
