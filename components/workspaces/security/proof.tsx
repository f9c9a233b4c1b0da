'use client'

import { createContext, type ReactNode, useContext, useState } from 'react'
import { ActionForm, type FormAction, type FormResult } from '#components/ui/controls/action-form'
import { Button } from '#components/ui/controls/button'
import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { Callout } from '#components/ui/feedback/callout'
import { Dialog } from '#components/ui/overlays/dialog'
import { KnownAddress } from '#components/workspaces/sign-in/known-address'
import { canUsePasskeys, type PasskeyRequest } from '#components/workspaces/sign-in/passkeys'

/** The ways in which the user can prove that the account is theirs. */
export type Means = { password: boolean; code: boolean; passkey: boolean }

type Props = {
  email: string
  means: Means
  /** The last proof has expired; the server checks again anyway. */
  isOutdated: boolean
  prove: FormAction
  startPasskey: () => Promise<PasskeyRequest>
  provePasskey: (answer: unknown) => Promise<FormResult>
  children: ReactNode
}

const Ensure = createContext<(then: () => void) => void>((then) => then())

/** Calls back at once, or after the user has proven who they are. */
export const useProof = () => useContext(Ensure)

export function ProofBoundary({ children, isOutdated, ...rest }: Props) {
  const [waiting, setWaiting] = useState<{ then: () => void } | null>(null)
  const [provenHere, setProvenHere] = useState(false)
  const ensure = (then: () => void) => (isOutdated && !provenHere ? setWaiting({ then }) : then())

  function done() {
    setProvenHere(true)
    setWaiting(null)
    waiting?.then()
  }

  return (
    <Ensure value={ensure}>
      {children}
      <Dialog
        isOpen={waiting !== null}
        onClose={() => setWaiting(null)}
        title="Confirm it is you"
        description="This changes how you sign in, and you signed in a while ago. We ask once every 15 minutes."
      >
        <ProofForms {...rest} onDone={done} />
      </Dialog>
    </Ensure>
  )
}

type Forms = Omit<Props, 'children' | 'isOutdated'> & { onDone: () => void }

function ProofForms({ email, means, prove, startPasskey, provePasskey, onDone }: Forms) {
  const [byCode, setByCode] = useState(!means.password)
  if (!means.password && !means.code && !means.passkey)
    return (
      <p className="text-sm">
        This account has no password or passkey here. Sign out, then sign in again with your identity
        provider.
      </p>
    )
  return (
    <div className="grid gap-4">
      {means.passkey && <PasskeyProof start={startPasskey} prove={provePasskey} onDone={onDone} />}
      {(means.password || means.code) && (
        <ActionForm key={String(byCode)} action={prove} onDone={onDone} className="grid gap-4">
          <KnownAddress email={email} />
          {byCode ? (
            <Field label="Code" name="code" hint="From the authenticator app, or a recovery code.">
              <Input autoComplete="one-time-code" required maxLength={100} spellCheck={false} />
            </Field>
          ) : (
            <Field label="Password" name="password">
              <Input type="password" autoComplete="current-password" required maxLength={1000} />
            </Field>
          )}
          <div className="flex flex-wrap gap-2">
            <SubmitButton>Confirm</SubmitButton>
            {means.password && means.code && (
              <Button variant="ghost" onClick={() => setByCode(!byCode)}>
                {byCode ? 'Use the password instead' : 'Use a code instead'}
              </Button>
            )}
          </div>
        </ActionForm>
      )}
    </div>
  )
}

type ByPasskey = {
  start: () => Promise<PasskeyRequest>
  prove: (answer: unknown) => Promise<FormResult>
  onDone: () => void
}

function PasskeyProof({ start, prove, onDone }: ByPasskey) {
  const [refusal, setRefusal] = useState<string | null>(null)
  const [isPending, setPending] = useState(false)

  async function ask() {
    setPending(true)
    setRefusal(null)
    const { startAuthentication } = await import('@simplewebauthn/browser')
    const result = await start()
      .then(({ options }) => startAuthentication({ optionsJSON: options }))
      .then(prove)
      .catch(() => null)
    setPending(false)
    if (result?.ok) onDone()
    else setRefusal(result?.message ?? 'No passkey was used.')
  }

  if (!canUsePasskeys()) return null
  return (
    <>
      {refusal && (
        <Callout tone="danger" role="alert">
          {refusal}
        </Callout>
      )}
      <Button onClick={ask} aria-busy={isPending}>
        Use a passkey
      </Button>
    </>
  )
}
