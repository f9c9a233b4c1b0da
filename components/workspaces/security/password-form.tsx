'use client'

import { useState } from 'react'
import { ActionForm, type FormAction, type FormResult } from '#components/ui/controls/action-form'
import { Button } from '#components/ui/controls/button'
import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { Panel } from '#components/ui/layout/panel'
import { ConfirmDialog } from '#components/ui/overlays/confirm-dialog'
import { useRun } from '#components/ui/use-action'
import { useProof } from '#components/workspaces/security/proof'
import { KnownAddress } from '#components/workspaces/sign-in/known-address'
import { NewPasswordField } from '#components/workspaces/sign-in/new-password-field'

type Props = {
  email: string
  hasPassword: boolean
  change: FormAction
  /** Set if there is another way to sign in. */
  remove?: (() => Promise<FormResult>) | undefined
}

/** Field names are those of POST /account/password. */
export function PasswordForm({ email, hasPassword, change, remove }: Props) {
  const ensure = useProof()
  return (
    <Panel
      title="Password"
      description={
        hasPassword
          ? 'A new password signs out every other browser. API keys keep working.'
          : 'This account has no password. Add one as another way to sign in.'
      }
      action={hasPassword && remove && <RemovePassword remove={remove} />}
    >
      <ActionForm
        action={change}
        ask={hasPassword ? undefined : (_, send) => ensure(send)}
        className="grid max-w-xl gap-4"
      >
        <KnownAddress email={email} />
        {hasPassword && (
          <Field label="Current password" name="current_password">
            <Input type="password" autoComplete="current-password" required maxLength={1000} />
          </Field>
        )}
        <NewPasswordField label="New password" name="new_password" />
        <div>
          <SubmitButton>{hasPassword ? 'Change password' : 'Set password'}</SubmitButton>
        </div>
      </ActionForm>
    </Panel>
  )
}

function RemovePassword({ remove }: { remove: () => Promise<FormResult> }) {
  const [isAsking, setAsking] = useState(false)
  const [run, isPending] = useRun()
  const ensure = useProof()
  return (
    <>
      <Button variant="ghost" aria-busy={isPending} onClick={() => ensure(() => setAsking(true))}>
        Remove password
      </Button>
      {isAsking && (
        <ConfirmDialog
          confirmation={{
            title: 'Remove the password?',
            description: 'After that you can sign in only with your passkeys or identity provider.',
            label: 'Remove',
            danger: true,
          }}
          onConfirm={() => run(remove)}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}
