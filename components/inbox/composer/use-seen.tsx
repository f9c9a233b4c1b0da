'use client'

import { type RefObject, useEffect, useState } from 'react'

type Form = RefObject<HTMLElement | null>

/**
 * The newest message at the time the user began to type: later ones may be unseen, since the page refreshes
 * while they type. While nothing is typed it is the newest message.
 */
export function useSeen(form: Form, newest: string | null) {
  const [seen, setSeen] = useState(newest)
  useEffect(() => {
    const isWritten = Boolean(form.current?.querySelector('textarea')?.value.trim())
    if (!isWritten) setSeen(newest)
  }, [form, newest])
  return { seen, isBehind: seen !== newest, catchUp: () => setSeen(newest) }
}
