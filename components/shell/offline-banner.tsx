'use client'

import { useEffect, useState } from 'react'

/** How often to check the connection while offline. */
const AGAIN_MS = 5_000

const isServed = () =>
  fetch('/api/v1/health', { cache: 'no-store' }).then(
    () => true,
    () => false,
  )

/**
 * Following a link while offline would replace this page, and what was typed in it, with the browser's error
 * page.
 */
function stay(event: MouseEvent) {
  const link = event.target instanceof Element ? event.target.closest('a[href]') : null
  if (!link || link.getAttribute('href')?.startsWith('#')) return
  event.preventDefault()
  event.stopPropagation()
}

/**
 * Says that the page may be outdated, and keeps it; campaigns run on the server and are not affected. An
 * instance on the same machine is reachable without a network. The live region exists from the start.
 */
export function OfflineBanner() {
  const [isOffline, setOffline] = useState(false)
  useEffect(() => {
    let again: ReturnType<typeof setTimeout> | undefined
    const checkConnection = async () => {
      clearTimeout(again)
      const isThere = navigator.onLine || (await isServed())
      setOffline(!isThere && !navigator.onLine)
      // An answer received while going offline says nothing about the next request.
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
    // Runs before any click handler of the page.
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
