'use client'

import { useEffect } from 'react'

/** The address follows once scrolling rests. */
const REST_MS = 200

/** Keeps the page in sight in the address of `path`, so that a reload stands where it stood; null keeps nothing. */
export function usePageInAddress(page: number | null, path: string) {
  useEffect(() => {
    if (page === null) return
    const timer = setTimeout(() => {
      const address = new URL(window.location.href)
      if ((Number(address.searchParams.get('page')) || 1) === page || address.pathname !== path) return
      if (page > 1) address.searchParams.set('page', String(page))
      else address.searchParams.delete('page')
      window.history.replaceState(null, '', address)
    }, REST_MS)
    return () => clearTimeout(timer)
  }, [page, path])
}
