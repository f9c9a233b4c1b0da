import { KnownAddress } from '#components/auth/known-address'
import { NewPasswordField } from '#components/auth/new-password-field'
import { ActionForm, type FormAction } from '#components/ui/action-form'
import { Field } from '#components/ui/field'
import { Input } from '#components/ui/input'
import { Panel } from '#components/ui/panel'
import { SubmitButton } from '#components/ui/submit-button'

/** Field names are those of POST /account/password. */
export function PasswordForm({ email, change }: { email: string; change: FormAction }) {
  return (
    <Panel title="Password" description="A new one signs out every other browser. API keys go on.">
      <ActionForm action={change} className="grid max-w-xl gap-4">
        <KnownAddress email={email} />
        <Field label="Current password" name="current_password">
          <Input type="password" autoComplete="current-password" required maxLength={1000} />
        </Field>
        <NewPasswordField label="New password" name="new_password" />
        <div>
          <SubmitButton>Change password</SubmitButton>
        </div>
      </ActionForm>
    </Panel>
  )
}
