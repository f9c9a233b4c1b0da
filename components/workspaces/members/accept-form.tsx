import { ActionForm, type FormAction } from '#components/ui/controls/action-form'
import { SubmitButton } from '#components/ui/controls/submit-button'

export function AcceptForm({ accept, label }: { accept: FormAction; label: string }) {
  return (
    <ActionForm action={accept}>
      <SubmitButton size="lg">{label}</SubmitButton>
    </ActionForm>
  )
}
