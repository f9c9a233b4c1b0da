import { ActionForm, type FormAction } from '#components/ui/controls/action-form'
import { Checkbox } from '#components/ui/controls/checkbox'
import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { NewPasswordField } from './new-password-field.tsx'
import { OwnZone } from './own-zone.tsx'

type Props = { make: FormAction; offersDemo: boolean }

/** `offersDemo`: the demo account contains data that the user may want to keep. */
export function FirstAccountForm({ make, offersDemo }: Props) {
  return (
    <ActionForm action={make}>
      <OwnZone />
      <div className="grid gap-4">
        <Field label="Name" name="name">
          <Input autoComplete="name" required maxLength={100} autoFocus />
        </Field>
        <Field label="Email" name="email">
          <Input type="email" autoComplete="username" required maxLength={320} />
        </Field>
        <NewPasswordField label="Password" name="password" />
        {offersDemo && (
          <Checkbox
            name="keep_demo"
            defaultChecked
            label="Keep the demo account’s data"
            hint="Its campaigns, datasets and mailboxes become yours. Its API keys stop working."
          />
        )}
        <SubmitButton size="lg">Create account</SubmitButton>
      </div>
    </ActionForm>
  )
}
