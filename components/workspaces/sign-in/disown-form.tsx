import { ActionForm, type FormAction } from '#components/ui/controls/action-form'
import { SubmitButton } from '#components/ui/controls/submit-button'

export function DisownForm({ disown }: { disown: FormAction }) {
  return (
    <ActionForm action={disown}>
      <div className="grid gap-4">
        <p className="text-sm text-pretty text-muted">
          API keys keep working. Afterwards, revoke keys that you do not know, and disconnect providers that
          are not yours.
        </p>
        <SubmitButton size="lg" variant="danger">
          Sign everything out
        </SubmitButton>
      </div>
    </ActionForm>
  )
}
