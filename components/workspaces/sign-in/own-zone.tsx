'use client'

import { useSyncExternalStore } from 'react'

const never = () => () => undefined

/** Sends the time zone of this browser with the form around it; nothing where there are no scripts. */
export function OwnZone() {
  const zone = useSyncExternalStore(
    never,
    () => Intl.DateTimeFormat().resolvedOptions().timeZone,
    () => '',
  )
  return <input type="hidden" name="timezone" value={zone} />
}
