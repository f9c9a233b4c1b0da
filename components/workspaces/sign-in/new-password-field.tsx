import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'

export function NewPasswordField({ label, name }: { label: string; name: string }) {
  return (
    <Field label={label} name={name} hint="At least 10 characters, and not a common password.">
      <Input type="password" autoComplete="new-password" required minLength={10} maxLength={1000} />
    </Field>
  )
}
