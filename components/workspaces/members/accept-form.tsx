import { ActionForm } from '#components/ui/controls/action-form'
import { SubmitButton } from '#components/ui/controls/submit-button'
import type { FormAction } from '#components/ui/form-state'

export function AcceptForm({ accept, label }: { accept: FormAction; label: string }) {
  return (
    <ActionForm action={accept}>
      <SubmitButton size="lg">{label}</SubmitButton>
    </ActionForm>
  )
}
