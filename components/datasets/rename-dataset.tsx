'use client'

import { useState } from 'react'
import { KeptFields } from '#components/drafts/kept-fields'
import { ActionForm, type FormAction } from '#components/ui/controls/action-form'
import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'
import { ActingButton } from '#components/ui/controls/lock'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { Dialog } from '#components/ui/overlays/dialog'
import { DialogActions } from '#components/ui/overlays/dialog-actions'

type Props = { dataset_id: string; name: string; version: number; rename: FormAction }

export function RenameDataset({ dataset_id, name, version, rename }: Props) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <ActingButton onClick={() => setOpen(true)}>Rename</ActingButton>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title="Rename the dataset">
        <ActionForm action={rename} onDone={() => setOpen(false)} className="grid gap-4">
          <KeptFields
            name={`dataset:${dataset_id}`}
            what="The dataset"
            version={version}
            values={{ dataset_name: name }}
          />
          <Field label="Name" name="dataset_name" required>
            <Input maxLength={255} defaultValue={name} />
          </Field>
          <DialogActions>
            <SubmitButton>Rename</SubmitButton>
          </DialogActions>
        </ActionForm>
      </Dialog>
    </>
  )
}
