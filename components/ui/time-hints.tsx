'use client'

import { useEffect } from 'react'

/** Adds the reader's own zone to the tooltip of any <time data-zone>, by one listener for the whole page. */
export function TimeHints() {
  useEffect(() => {
    const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone
    const own = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short', timeZone: ownZone })
    function hint(event: Event) {
      const time = event.target instanceof Element ? event.target.closest('time') : null
      if (!time?.dataset.zone || time.dataset.zone === ownZone || time.dataset.hinted) return
      time.dataset.hinted = 'yes'
      time.title = `${time.title}\nFor you: ${own.format(new Date(time.dateTime))} (${ownZone})`
    }
    document.addEventListener('pointerover', hint)
    return () => document.removeEventListener('pointerover', hint)
  }, [])
  return null
}
