import { ActionForm, type FormAction } from '#components/ui/controls/action-form'
import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'
import { Link } from '#components/ui/controls/link'
import { SubmitButton } from '#components/ui/controls/submit-button'

type Props = {
  signIn: FormAction
  known?: { email: string; password: string } | undefined
  goOn: string | null
}

/** `known` fills in a public demo account; `goOn` is the page to open after signing in. */
export function SignInForm({ signIn, known, goOn }: Props) {
  return (
    <ActionForm action={signIn}>
      {goOn && <input type="hidden" name="return_path" value={goOn} />}
      <div className="grid gap-4">
        <Field label="Email" name="email">
          <Input
            type="email"
            autoComplete="username webauthn"
            required
            defaultValue={known?.email}
            autoFocus={!known}
          />
        </Field>
        <Field
          label="Password"
          name="password"
          aside={
            <Link href="/forgot-password" className="text-accent-text underline">
              Forgot your password?
            </Link>
          }
        >
          <Input type="password" autoComplete="current-password" required defaultValue={known?.password} />
        </Field>
        <SubmitButton size="lg">Sign in</SubmitButton>
      </div>
    </ActionForm>
  )
}
