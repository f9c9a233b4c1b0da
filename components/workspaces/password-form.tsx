import { ActionForm, type FormAction } from '#components/ui/controls/action-form'
import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { Panel } from '#components/ui/layout/panel'
import { KnownAddress } from '#components/workspaces/known-address'
import { NewPasswordField } from '#components/workspaces/new-password-field'

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
