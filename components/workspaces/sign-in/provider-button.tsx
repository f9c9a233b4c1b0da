'use client'

import { useState } from 'react'
import type { FormResult } from '#components/ui/controls/action-form'
import { Button } from '#components/ui/controls/button'
import { toast } from '#components/ui/overlays/toast'

type Props = {
  id: string
  label: string
  goOn: string
  className?: string
  /** Runs first, for example to record that an identity is being connected. */
  before?: () => Promise<FormResult>
  /** Calls back when it may start. */
  ask?: (then: () => void) => void
}

/** Starts the sign-in at the identity provider; next-auth's client adds the CSRF token. */
export function ProviderButton({ id, label, goOn, className, before, ask }: Props) {
  const [isPending, setPending] = useState(false)

  async function start() {
    setPending(true)
    const kept = await before?.()
    if (kept && !kept.ok) {
      setPending(false)
      toast.error(kept.message)
      return
    }
    const { signIn } = await import('next-auth/react')
    await signIn(id, { callbackUrl: goOn })
  }

  return (
    <Button className={className} onClick={() => (ask ? ask(start) : start())} aria-busy={isPending}>
      {label}
    </Button>
  )
}
