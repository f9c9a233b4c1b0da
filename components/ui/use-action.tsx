'use client'

import { unstable_rethrow } from 'next/navigation'
import { useTransition } from 'react'
import type { FormResult } from './controls/action-form.tsx'
import { useLock } from './controls/lock.tsx'
import { toast } from './overlays/toast.tsx'

export type Act = () => Promise<FormResult>

/** Runs a server action outside a form and shows its result as a toast. */
export function useAction(act: Act): { run: () => void; isPending: boolean } {
  const [run, isPending] = useRun()
  return { run: () => run(act), isPending }
}

/** The same for actions chosen later. */
export function useRun(): [run: (act: Act) => void, isPending: boolean] {
  const [isPending, startTransition] = useTransition()
  const lock = useLock()
  function run(act: Act) {
    if (lock) return lock.ask()
    startTransition(async () => {
      try {
        const result = await act()
        if (!result.ok) toast.error(result.message, { duration: Number.POSITIVE_INFINITY })
        else if (result.message) toast.success(result.message)
      } catch (error) {
        // Redirects are thrown like errors and must be rethrown.
        unstable_rethrow(error)
        toast.error('The server could not be reached. Reload to see whether anything changed.', {
          duration: Number.POSITIVE_INFINITY,
        })
      }
    })
  }
  return [run, isPending]
}
