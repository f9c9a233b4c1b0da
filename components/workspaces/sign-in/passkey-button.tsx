'use client'

import { unstable_rethrow } from 'next/navigation'
import { useEffect, useEffectEvent, useState, useTransition } from 'react'
import type { FormResult } from '#components/ui/controls/action-form'
import { Button } from '#components/ui/controls/button'
import { Callout } from '#components/ui/feedback/callout'
import { canUsePasskeys, type PasskeyRequest } from '#components/workspaces/sign-in/passkeys'

type Props = {
  start: () => Promise<PasskeyRequest>
  signIn: (answer: unknown) => Promise<FormResult>
}

/** The challenge for suggestions in the address field is renewed before it expires. */
const ANEW_MS = 4 * 60_000

/**
 * Signs in with a passkey: with the button or, if supported, from suggestions in the address field. Hidden
 * where passkeys do not work: without scripts, in old browsers, or under an IP address.
 */
export function PasskeyButton({ start, signIn }: Props) {
  const [canUse, setCanUse] = useState(false)
  const [refusal, setRefusal] = useState<string | null>(null)
  const [isPending, startTransition] = useTransition()

  const suggest = useEffectEvent(() => void suggestPasskeys(start, enter))

  useEffect(() => {
    if (!canUsePasskeys()) return
    setCanUse(true)
    suggest()
    const timer = setInterval(() => suggest(), ANEW_MS)
    return () => {
      clearInterval(timer)
      void import('@simplewebauthn/browser').then(({ WebAuthnAbortService }) =>
        WebAuthnAbortService.cancelCeremony(),
      )
    }
  }, [])

  function enter(answer: unknown) {
    startTransition(async () => {
      try {
        const result = await signIn(answer)
        setRefusal(result.ok ? null : result.message)
      } catch (error) {
        // Redirects are thrown like errors and must be rethrown.
        unstable_rethrow(error)
        setRefusal('The server could not be reached. Try again.')
      }
    })
  }

  async function ask() {
    setRefusal(null)
    const { startAuthentication } = await import('@simplewebauthn/browser')
    const answer = await start()
      .then(({ options }) => startAuthentication({ optionsJSON: options }))
      .catch(() => null)
    if (answer) enter(answer)
    else setRefusal('No passkey was used. Try again, or sign in with your password.')
  }

  if (!canUse) return null
  return (
    <>
      {refusal && (
        <Callout tone="danger" role="alert">
          {refusal}
        </Callout>
      )}
      <Button className="w-full" onClick={ask} aria-busy={isPending}>
        Use a passkey
      </Button>
    </>
  )
}

/** Does nothing if the browser does not support it or the user chose something else. */
async function suggestPasskeys(start: Props['start'], enter: (answer: unknown) => void): Promise<void> {
  const { browserSupportsWebAuthnAutofill, startAuthentication } = await import('@simplewebauthn/browser')
  if (!(await browserSupportsWebAuthnAutofill())) return
  const answer = await start()
    .then(({ options }) => startAuthentication({ optionsJSON: options, useBrowserAutofill: true }))
    .catch(() => null)
  if (answer) enter(answer)
}
