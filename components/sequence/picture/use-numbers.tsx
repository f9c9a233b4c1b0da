import { useEffect, useState } from 'react'
import type { Numbers } from './numbers.tsx'

const EVERY_MS = 20_000

/** The leads' progress, refreshed while the page is visible; on failure the last known numbers stay. */
export function useNumbers(load: (() => Promise<Numbers | null>) | null): Numbers | null {
  const [numbers, setNumbers] = useState<Numbers | null>(null)
  useEffect(() => {
    if (!load) return
    let isCurrent = true
    const ask = async () => {
      if (document.visibilityState !== 'visible') return
      const answer = await load().catch(() => null)
      if (isCurrent && answer) setNumbers(answer)
    }
    void ask()
    const timer = setInterval(ask, EVERY_MS)
    return () => {
      isCurrent = false
      clearInterval(timer)
    }
  }, [load])
  return numbers
}
