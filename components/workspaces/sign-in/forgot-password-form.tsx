import { ActionForm, type FormAction } from '#components/ui/controls/action-form'
import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'
import { SubmitButton } from '#components/ui/controls/submit-button'

export function ForgotPasswordForm({ ask }: { ask: FormAction }) {
  return (
    <ActionForm action={ask}>
      <div className="grid gap-4">
        <Field label="Email" name="email">
          <Input type="email" autoComplete="username" required maxLength={320} autoFocus />
        </Field>
        <SubmitButton size="lg">Email me a link</SubmitButton>
      </div>
    </ActionForm>
  )
}
