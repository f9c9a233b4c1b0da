'use client'

import { useState } from 'react'
import { Button } from '#components/ui/controls/button'

/** Starts the sign-in at the identity provider; next-auth's own client brings the CSRF token along. */
export function ProviderButton({ name, goOn }: { name: string; goOn: string }) {
  const [isPending, setPending] = useState(false)

  async function start() {
    setPending(true)
    const { signIn } = await import('next-auth/react')
    await signIn('oidc', { callbackUrl: goOn })
  }

  return (
    <Button className="w-full" onClick={start} disabled={isPending} aria-busy={isPending}>
      Continue with {name}
    </Button>
  )
}
