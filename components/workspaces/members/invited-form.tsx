import { ActionForm, type FormAction } from '#components/ui/controls/action-form'
import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { NewPasswordField } from '../sign-in/new-password-field.tsx'

/** Creates an account for the invited address, which is filled in. */
export function InvitedForm({ email, signUp }: { email: string; signUp: FormAction }) {
  return (
    <ActionForm action={signUp} className="grid gap-4">
      <Field label="Email">
        <Input type="email" autoComplete="username" value={email} readOnly />
      </Field>
      <Field label="Name" name="name">
        <Input autoComplete="name" required maxLength={100} autoFocus />
      </Field>
      <NewPasswordField label="Password" name="password" />
      <SubmitButton size="lg">Create account and join</SubmitButton>
    </ActionForm>
  )
}
