'use client'

import { type FormEvent, useActionState, useState, useTransition } from 'react'
import { failedResult } from './failed-result.tsx'

export type Asked<T> = { answer: T } | { problem: string } | null
export type Ask<T> = (previous: Asked<T>, data: FormData) => Promise<Asked<T>>

/**
 * A form that shows its result below. React resets a form after its action ran; here the input is kept, so
 * that it can be changed and sent again. `native` submits it before hydration; `lost` is the message if no
 * answer arrived.
 */
export function useAsked<T>(ask: Ask<T>) {
  const [early, native] = useActionState(ask, null)
  const [heard, setHeard] = useState<{ asked: Asked<T>; lost: string | null }>({ asked: early, lost: null })
  const [isPending, startTransition] = useTransition()
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    startTransition(async () => {
      const next = await ask(null, data).then(
        (asked) => ({ asked, lost: null }),
        (error: unknown) => ({ asked: null, lost: failedResult(error).message }),
      )
      setHeard(next)
    })
  }
  return { ...heard, native, onSubmit, isPending }
}
