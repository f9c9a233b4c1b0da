import { ActionForm, type FormAction } from '#components/ui/controls/action-form'
import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { NewPasswordField } from './new-password-field.tsx'
import { OwnZone } from './own-zone.tsx'

export function SignUpForm({ signUp, goOn }: { signUp: FormAction; goOn: string | null }) {
  return (
    <ActionForm action={signUp}>
      {goOn && <input type="hidden" name="return_path" value={goOn} />}
      <OwnZone />
      <div className="grid gap-4">
        <Field label="Name" name="name">
          <Input autoComplete="name" required maxLength={100} autoFocus />
        </Field>
        <Field label="Email" name="email">
          <Input type="email" autoComplete="username" required />
        </Field>
        <NewPasswordField label="Password" name="password" />
        <SubmitButton size="lg">Create account</SubmitButton>
      </div>
    </ActionForm>
  )
}
