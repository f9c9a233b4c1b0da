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

/** What is asked for in the fields' suggestions is asked for anew before it runs out. */
const ANEW_MS = 4 * 60_000

/**
 * Signs in by a passkey: by the button, or, where the browser can, from the suggestions of the address field. Nothing is shown
 * where there are no passkeys: without script, in an old browser, or under an address that is no name.
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
        // A redirect travels as an error, and is not one.
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

/** Silent where the browser cannot, or the person chose something else. */
async function suggestPasskeys(start: Props['start'], enter: (answer: unknown) => void): Promise<void> {
  const { browserSupportsWebAuthnAutofill, startAuthentication } = await import('@simplewebauthn/browser')
  if (!(await browserSupportsWebAuthnAutofill())) return
  const answer = await start()
    .then(({ options }) => startAuthentication({ optionsJSON: options, useBrowserAutofill: true }))
    .catch(() => null)
  if (answer) enter(answer)
}
