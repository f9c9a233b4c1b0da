'use client'

import { type ReactNode, useState } from 'react'
import { ActionForm, type FormAction } from '#components/ui/controls/action-form'
import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'
import { ActingButton } from '#components/ui/controls/lock'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { Dialog } from '#components/ui/overlays/dialog'
import { DialogActions } from '#components/ui/overlays/dialog-actions'

type Props = {
  action: FormAction
  /** The field resets when this changes. */
  basis: string | number
  open: ReactNode
  size?: 'sm' | 'md'
  title: string
  description: string
  field: { label: string; name: string; maxLength: number; placeholder?: string; defaultValue?: string }
  submit: string
}

/** A button that asks for a name before it acts. */
export function NameDialog({ action, basis, open, size = 'md', title, description, field, submit }: Props) {
  const [isOpen, setOpen] = useState(false)
  const { label, name, ...input } = field
  return (
    <>
      <ActingButton size={size} onClick={() => setOpen(true)}>
        {open}
      </ActingButton>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title={title} description={description}>
        <ActionForm action={action} basis={basis} onDone={() => setOpen(false)} className="grid gap-4">
          <Field label={label} name={name} required>
            <Input autoComplete="off" {...input} />
          </Field>
          <DialogActions>
            <SubmitButton>{submit}</SubmitButton>
          </DialogActions>
        </ActionForm>
      </Dialog>
    </>
  )
}
