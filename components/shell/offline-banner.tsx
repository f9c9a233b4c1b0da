'use client'

import { useSyncExternalStore } from 'react'

function subscribe(changed: () => void) {
  window.addEventListener('online', changed)
  window.addEventListener('offline', changed)
  return () => {
    window.removeEventListener('online', changed)
    window.removeEventListener('offline', changed)
  }
}

/** Says that what is shown may be old; campaigns run on the server and do not mind. The live region is there from the start. */
export function OfflineBanner() {
  const isOffline = useSyncExternalStore(
    subscribe,
    () => !navigator.onLine,
    () => false,
  )
  return (
    <div aria-live="polite" className="fixed inset-x-0 top-0 z-40 flex justify-center">
      {isOffline && (
        <p className="rounded-b-md border border-warning-border bg-warning-subtle px-4 py-2 text-sm text-text shadow-raised">
          You are offline. What you see may be old and nothing can be saved; campaigns go on.
        </p>
      )}
    </div>
  )
}
