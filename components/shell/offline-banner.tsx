'use client'

import { useEffect, useState } from 'react'

/** How often one looks again without a network. */
const AGAIN_MS = 5_000

const isServed = () =>
  fetch('/api/v1/health', { cache: 'no-store' }).then(
    () => true,
    () => false,
  )

/** A page that cannot be fetched would leave the browser's own error in place of this one, and of what was typed in it. */
function stay(event: MouseEvent) {
  const link = event.target instanceof Element ? event.target.closest('a[href]') : null
  if (!link || link.getAttribute('href')?.startsWith('#')) return
  event.preventDefault()
  event.stopPropagation()
}

/**
 * Says that what is shown may be old, and keeps it; campaigns run on the server and do not mind. An instance on this very
 * machine is there without a network. The live region is there from the start.
 */
export function OfflineBanner() {
  const [isOffline, setOffline] = useState(false)
  useEffect(() => {
    let again: ReturnType<typeof setTimeout> | undefined
    const checkConnection = async () => {
      clearTimeout(again)
      const isThere = navigator.onLine || (await isServed())
      setOffline(!isThere && !navigator.onLine)
      // What was answered in the moment of going offline says nothing of the next one.
      if (!navigator.onLine) again = setTimeout(checkConnection, AGAIN_MS)
    }
    checkConnection()
    window.addEventListener('online', checkConnection)
    window.addEventListener('offline', checkConnection)
    return () => {
      clearTimeout(again)
      window.removeEventListener('online', checkConnection)
      window.removeEventListener('offline', checkConnection)
    }
  }, [])
  useEffect(() => {
    if (!isOffline) return
    // Before any handler of the page's own.
    window.addEventListener('click', stay, { capture: true })
    return () => window.removeEventListener('click', stay, { capture: true })
  }, [isOffline])
  return (
    <div aria-live="polite" className="fixed inset-x-0 top-0 z-40 flex justify-center">
      {isOffline && (
        <p className="rounded-b-md border border-warning-border bg-warning-subtle px-4 py-2 text-sm text-text shadow-raised">
          You are offline. This page may be outdated, links do not work and nothing can be saved. Campaigns
          continue.
        </p>
      )}
    </div>
  )
}
