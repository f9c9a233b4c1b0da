'use client'

import { useState } from 'react'
import { ActionForm, type FormResult } from '#components/ui/controls/action-form'
import { Button } from '#components/ui/controls/button'
import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { Dialog } from '#components/ui/overlays/dialog'
import { DialogActions } from '#components/ui/overlays/dialog-actions'
import { useProof } from '#components/workspaces/security/proof'
import type { NewPasskeyRequest } from '#components/workspaces/sign-in/passkeys'

type Asked = { ok: true; answer: NewPasskeyRequest } | Extract<FormResult, { ok: false }>

export type PasskeyActions = {
  start: () => Promise<Asked>
  add: (name: string, answer: unknown) => Promise<FormResult>
  rename: (id: string, name: string, version: number) => Promise<FormResult>
  remove: (id: string) => Promise<FormResult>
}

const REFUSED: Record<string, string> = {
  ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED: 'This device already has a passkey for this account.',
  ERROR_AUTHENTICATOR_MISSING_USER_VERIFICATION_SUPPORT:
    'This device cannot verify you: set up a PIN, or use another device.',
}

export function AddPasskey({ actions }: { actions: PasskeyActions }) {
  const [isOpen, setOpen] = useState(false)
  const ensure = useProof()

  async function submit(_: FormResult | null, data: FormData): Promise<FormResult> {
    const asked = await actions.start()
    if (!asked.ok) return asked
    const { startRegistration, WebAuthnError } = await import('@simplewebauthn/browser')
    try {
      const answer = await startRegistration({ optionsJSON: asked.answer.options })
      return await actions.add(String(data.get('name')), answer)
    } catch (error) {
      const code = error instanceof WebAuthnError ? error.code : ''
      return { ok: false, message: REFUSED[code] ?? 'No passkey was created. Try again.' }
    }
  }

  return (
    <>
      <Button variant="primary" onClick={() => ensure(() => setOpen(true))}>
        Add a passkey
      </Button>
      <Dialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title="Add a passkey"
        description="Your browser will ask where to save it."
      >
        <ActionForm action={submit} onDone={() => setOpen(false)} className="grid gap-4">
          <Field label="Name" name="name" required hint="A name you will recognise, such as the device.">
            <Input maxLength={100} placeholder="Work laptop" />
          </Field>
          <DialogActions>
            <SubmitButton>Continue</SubmitButton>
          </DialogActions>
        </ActionForm>
      </Dialog>
    </>
  )
}
