'use client'

import { useEffect } from 'react'
import { relativeWords } from './zoned-time.tsx'

const REWORD_MS = 30_000

/** Updates texts such as "in 3 minutes" on an open page without asking the server. */
function reword() {
  for (const time of document.querySelectorAll<HTMLTimeElement>('time[data-relative]')) {
    const { zone = 'UTC', relative } = time.dataset
    const said = relativeWords(time.dateTime, Date.now(), zone, relative === 'ahead')
    const text = time.firstChild
    if (said && text && text.nodeValue !== said) text.nodeValue = said
  }
}

/**
 * Adds the reader's local time to the tooltip of every <time data-zone> with a single listener, and keeps
 * relative times current.
 */
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
    const timer = setInterval(() => document.visibilityState === 'visible' && reword(), REWORD_MS)
    return () => {
      clearInterval(timer)
      document.removeEventListener('pointerover', hint)
    }
  }, [])
  return null
}
