import { ActionForm, type FormAction } from '#components/ui/action-form'
import { Field } from '#components/ui/field'
import { Input } from '#components/ui/input'
import { SubmitButton } from '#components/ui/submit-button'

type Props = { signIn: FormAction; known?: { email: string; password: string } | undefined }

/** `known` fills in an account that everybody may use. */
export function SignInForm({ signIn, known }: Props) {
  return (
    <ActionForm action={signIn}>
      <div className="grid gap-4">
        <Field label="E-mail" name="email">
          <Input
            type="email"
            autoComplete="username"
            required
            defaultValue={known?.email}
            autoFocus={!known}
          />
        </Field>
        <Field label="Password" name="password">
          <Input type="password" autoComplete="current-password" required defaultValue={known?.password} />
        </Field>
        <SubmitButton size="lg">Sign in</SubmitButton>
      </div>
    </ActionForm>
  )
}
