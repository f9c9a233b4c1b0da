'use client'

import { ActionForm, type FormAction } from '#components/ui/controls/action-form'
import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { Dialog } from '#components/ui/overlays/dialog'
import { DialogActions } from '#components/ui/overlays/dialog-actions'

type Props = {
  message: { subject: string; body: string }
  /** The suggested name. */
  name: string
  keep: FormAction
  onClose: () => void
}

/** Saves the current text as a template; the step keeps its own text. */
export function KeepTemplate({ message, name, keep, onClose }: Props) {
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Save as template"
      description="Other campaigns can use it. This step keeps its own copy; later changes are separate."
    >
      <ActionForm action={keep} onDone={onClose} className="grid gap-4">
        <input type="hidden" name="subject" value={message.subject} />
        <input type="hidden" name="body" value={message.body} />
        <Field label="Name" name="name" required>
          <Input maxLength={255} defaultValue={name} />
        </Field>
        <DialogActions>
          <SubmitButton>Save template</SubmitButton>
        </DialogActions>
      </ActionForm>
    </Dialog>
  )
}
