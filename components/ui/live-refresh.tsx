'use client'

import { useRouter } from 'next/navigation'
import { useEffect } from 'react'

/**
 * Renders the page's server parts anew while something is under way. Rests while the tab is hidden, so a thousand
 * open tabs cost nothing; the first look back refreshes at once.
 */
export function LiveRefresh({ every_seconds, active = true }: { every_seconds: number; active?: boolean }) {
  const router = useRouter()
  useEffect(() => {
    if (!active) return
    const refresh = () => document.visibilityState === 'visible' && router.refresh()
    const timer = setInterval(refresh, every_seconds * 1000)
    document.addEventListener('visibilitychange', refresh)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', refresh)
    }
  }, [router, every_seconds, active])
  return null
}
