'use client'

import { useState } from 'react'
import { KeptFields } from '#components/drafts/kept-fields'
import { ActionForm, type FormAction } from '#components/ui/controls/action-form'
import { Field } from '#components/ui/controls/field'
import { FileDrop } from '#components/ui/controls/file-drop'
import { Input } from '#components/ui/controls/input'
import { ActingButton } from '#components/ui/controls/lock'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { Textarea } from '#components/ui/controls/textarea'
import { Dialog } from '#components/ui/overlays/dialog'
import { DialogActions } from '#components/ui/overlays/dialog-actions'

type Props = { add: FormAction; importFile: FormAction }

/** Adds entries by hand or from a file. Both end waiting leads and report how many. */
export function AddSuppressions({ add, importFile }: Props) {
  const [open, setOpen] = useState<'add' | 'import' | null>(null)
  const close = () => setOpen(null)
  return (
    <>
      <ActingButton onClick={() => setOpen('import')}>Import a file</ActingButton>
      <ActingButton variant="primary" onClick={() => setOpen('add')}>
        Add entries
      </ActingButton>
      <Dialog
        isOpen={open === 'add'}
        onClose={close}
        title="Add suppressions"
        description="No campaign contacts them again, by email or on social, and their waiting leads end."
      >
        <ActionForm action={add} onDone={close} className="grid gap-4">
          <KeptFields name="suppressions:new" what="The list" />
          <Field
            label="Addresses, domains, profiles or phone numbers"
            name="values"
            required
            hint="One per line: ada@example.com, @example.com for all of that domain, linkedin.com/in/ada, +49 170 1234567."
          >
            <Textarea rows={6} />
          </Field>
          <Field label="Why" name="reason" hint="Only you see it. If left empty, it says “manual”.">
            <Input maxLength={200} />
          </Field>
          <DialogActions>
            <SubmitButton>Add</SubmitButton>
          </DialogActions>
        </ActionForm>
      </Dialog>
      <Dialog
        isOpen={open === 'import'}
        onClose={close}
        title="Import suppressions"
        description="A CSV or text file with a column named email, address, value, domain, phone or profile."
      >
        <ActionForm action={importFile} onDone={close} className="grid gap-4">
          <FileDrop
            name="file"
            label="Drop a file, or choose one"
            hint="csv or txt; up to 10 MB"
            accept=".csv,.txt"
          />
          <DialogActions>
            <SubmitButton>Import</SubmitButton>
          </DialogActions>
        </ActionForm>
      </Dialog>
    </>
  )
}
