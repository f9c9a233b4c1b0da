import { ActionForm, type FormAction } from '#components/ui/action-form'
import { Field } from '#components/ui/field'
import { Input } from '#components/ui/input'
import { SubmitButton } from '#components/ui/submit-button'

export function SignUpForm({ signUp }: { signUp: FormAction }) {
  return (
    <ActionForm action={signUp}>
      <div className="grid gap-4">
        <Field label="Name" name="name">
          <Input autoComplete="name" required maxLength={100} autoFocus />
        </Field>
        <Field label="E-mail" name="email">
          <Input type="email" autoComplete="username" required />
        </Field>
        <Field label="Password" name="password" hint="At least 10 characters.">
          <Input type="password" autoComplete="new-password" required minLength={10} />
        </Field>
        <SubmitButton size="lg">Create account</SubmitButton>
      </div>
    </ActionForm>
  )
}
