import { ActionForm, type FormAction } from '#components/ui/controls/action-form'
import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'
import { SubmitButton } from '#components/ui/controls/submit-button'

export function CodeForm({ signIn, goOn }: { signIn: FormAction; goOn: string | null }) {
  return (
    <ActionForm action={signIn}>
      {goOn && <input type="hidden" name="return_path" value={goOn} />}
      <div className="grid gap-4">
        <Field label="Code" name="code" hint="Or a recovery code if you lost the app. Each works once.">
          <Input autoComplete="one-time-code" required autoFocus maxLength={100} spellCheck={false} />
        </Field>
        <SubmitButton size="lg">Sign in</SubmitButton>
      </div>
    </ActionForm>
  )
}
