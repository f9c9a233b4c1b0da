import { ActionForm, type FormAction } from '#components/ui/controls/action-form'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { KnownAddress } from './known-address.tsx'
import { NewPasswordField } from './new-password-field.tsx'

export function NewPasswordForm({ save, email }: { save: FormAction; email: string }) {
  return (
    <ActionForm action={save}>
      <KnownAddress email={email} />
      <div className="grid gap-4">
        <NewPasswordField label="New password" name="password" />
        <SubmitButton size="lg">Set password and sign in</SubmitButton>
      </div>
    </ActionForm>
  )
}
