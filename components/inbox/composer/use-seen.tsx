'use client'

import { type RefObject, useEffect, useState } from 'react'

type Form = RefObject<HTMLElement | null>

/**
 * The newest message as it was when somebody began to write: what comes later may have come unseen, since the page is drawn
 * anew under their hands. While nothing is written it is the newest there is.
 */
export function useSeen(form: Form, newest: string | null) {
  const [seen, setSeen] = useState(newest)
  useEffect(() => {
    const isWritten = Boolean(form.current?.querySelector('textarea')?.value.trim())
    if (!isWritten) setSeen(newest)
  }, [form, newest])
  return { seen, isBehind: seen !== newest, catchUp: () => setSeen(newest) }
}
