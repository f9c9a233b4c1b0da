'use client'

import { useState } from 'react'
import { KeptFields } from '#components/drafts/kept-fields'
import { type FormChoices, FormFields } from '#components/leads/forms/form-fields'
import { ActionForm, type FormAction } from '#components/ui/controls/action-form'
import { Button } from '#components/ui/controls/button'
import { LockedButton, useLock } from '#components/ui/controls/lock'
import type { Option } from '#components/ui/controls/select'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { Dialog } from '#components/ui/overlays/dialog'
import { DialogActions } from '#components/ui/overlays/dialog-actions'
import type { Form } from '#lib/contracts/leads/forms'

type Props = { form: Form; choices: FormChoices; save: FormAction }

export function EditForm({ form, choices, save }: Props) {
  const [isOpen, setOpen] = useState(false)
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
            values={toFormValues(form)}
          />
          <FormFields
            choices={{
              mailboxes: withCurrent(choices.mailboxes, form.mailbox_id),
              campaigns: withCurrent(choices.campaigns, form.campaign_id),
            }}
            form={form}
          />
          <DialogActions>
            <SubmitButton>Save</SubmitButton>
          </DialogActions>
        </ActionForm>
      </Dialog>
    </>
  )
}

/**
 * All controls must be listed: a missing one would be sent with its initial value and overwrite other users'
 * changes.
 */
const toFormValues = (form: Form) => ({
  name: form.name,
  allowed_origins: form.allowed_origins.join('\n'),
  consent_text: form.consent_text,
  mailbox_id: form.mailbox_id,
  mail_subject: form.mail_subject,
  mail_text: form.mail_text,
  campaign_id: form.campaign_id,
  redirect_url: form.redirect_url,
  keep_days: form.keep_days,
  mails_per_day: form.mails_per_day,
})

/** Adds the current choice if the page does not list it, since saving would otherwise drop it. */
const withCurrent = (options: Option[], value: string | null) =>
  value === null || options.some((option) => option.value === value)
    ? options
    : [...options, { value, label: 'As it is, not listed here' }]
