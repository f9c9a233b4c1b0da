'use client'

import { useEffect } from 'react'

/** The URL is updated once scrolling pauses. */
const REST_MS = 200

/** Keeps the visible page in the URL of `path`, so that a reload returns to it; null disables this. */
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
