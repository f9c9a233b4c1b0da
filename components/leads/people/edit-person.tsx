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
import type { OnePerson } from '#lib/contracts/leads/people'

const FIELDS = [
  ['first_name', 'First name'],
  ['last_name', 'Last name'],
  ['title', 'Title'],
  ['company', 'Company'],
  ['country', 'Country'],
  ['phone', 'Phone'],
] as const

type Props = { person: OnePerson; edit: FormAction }

/** Corrects by hand what lists say about a person. */
export function EditPerson({ person, edit }: Props) {
  const [isOpen, setOpen] = useState(false)
  const values = Object.fromEntries(FIELDS.map(([field]) => [field, person[field] ?? '']))
  return (
    <>
      <ActingButton size="sm" aria-label="Edit the details" onClick={() => setOpen(true)}>
        Edit
      </ActingButton>
      <Dialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title="Edit the details"
        description="Later imports do not change them. Campaign texts use the values from the list, not these."
      >
        <ActionForm action={edit} onDone={() => setOpen(false)} className="grid gap-4">
          <KeptFields
            name={`person:${person.person_id}`}
            what="The person"
            version={person.version}
            values={values}
          />
          <div className="grid gap-4 sm:grid-cols-2">
            {FIELDS.map(([field, label]) => (
              <Field key={field} label={label} name={field}>
                <Input maxLength={500} autoComplete="off" defaultValue={person[field] ?? ''} />
              </Field>
            ))}
          </div>
          <DialogActions>
            <SubmitButton>Save</SubmitButton>
          </DialogActions>
        </ActionForm>
      </Dialog>
    </>
  )
}
