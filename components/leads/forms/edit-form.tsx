'use client'

import { useState } from 'react'
import { KeptFields } from '#components/drafts/kept-fields'
import { type FormChoices, FormFields } from '#components/leads/forms/form-fields'
import { ActionForm, type FormAction } from '#components/ui/controls/action-form'
import { Button } from '#components/ui/controls/button'
import { LockedButton, useLock } from '#components/ui/controls/lock'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { Dialog } from '#components/ui/overlays/dialog'
import { DialogActions } from '#components/ui/overlays/dialog-actions'
import type { Form } from '#lib/contracts/leads/forms'

type Props = { form: Form; choices: FormChoices; save: FormAction }

export function EditForm({ form, choices, save }: Props) {
  const [isOpen, setOpen] = useState(false)
  const { name, consent_text, mail_subject, mail_text } = form
  if (useLock()) return <LockedButton>Edit</LockedButton>
  return (
    <>
      <Button onClick={() => setOpen(true)}>Edit</Button>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title="Edit form">
        <ActionForm action={save} onDone={() => setOpen(false)} className="grid gap-4">
          <KeptFields
            name={`form:${form.form_id}`}
            what="The form"
            version={form.version}
            values={{ name, consent_text, mail_subject, mail_text }}
          />
          <FormFields choices={choices} form={form} />
          <DialogActions>
            <SubmitButton>Save</SubmitButton>
          </DialogActions>
        </ActionForm>
      </Dialog>
    </>
  )
}
