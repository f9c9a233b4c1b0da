'use client'

import { Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import { KeptFields } from '#components/drafts/kept-fields'
import { type FormChoices, FormFields } from '#components/leads/forms/form-fields'
import type { SecretResult } from '#components/telling/create-webhook'
import { NewSecret } from '#components/telling/new-secret'
import { ActionForm, type FormResult } from '#components/ui/controls/action-form'
import { Button } from '#components/ui/controls/button'
import { Checkbox } from '#components/ui/controls/checkbox'
import { LockedButton, useLock } from '#components/ui/controls/lock'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { Dialog } from '#components/ui/overlays/dialog'
import { DialogActions } from '#components/ui/overlays/dialog-actions'

/** Besides the address; longer forms are abandoned more often. */
const MOST_COLUMNS = 19

type Props = {
  choices: FormChoices
  columns: { name: string; key: string }[]
  create: (data: FormData) => Promise<SecretResult>
}

export function CreateForm({ choices, columns, create }: Props) {
  const [isOpen, setOpen] = useState(false)
  const [secret, setSecret] = useState<string | null>(null)
  const made = useRef<string | null>(null)
  const label = (
    <>
      <Plus aria-hidden /> New form
    </>
  )
  async function submit(_: FormResult | null, data: FormData): Promise<FormResult> {
    const { secret: fresh, ...result } = await create(data)
    made.current = fresh ?? null
    return result
  }
  /** Runs after the form has cleared its draft. */
  function done() {
    setOpen(false)
    setSecret(made.current)
  }
  if (useLock()) return <LockedButton>{label}</LockedButton>
  return (
    <>
      <Button variant="primary" onClick={() => setOpen(true)}>
        {label}
      </Button>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title="New form">
        <ActionForm action={submit} onDone={done} className="grid gap-4">
          <KeptFields name="form:new" what="The form" />
          <FormFields choices={choices} />
          <fieldset className="grid gap-1.5">
            <legend className="mb-1 text-sm font-medium">Fields besides the email address</legend>
            {columns.slice(0, MOST_COLUMNS).map(({ key, name }) => (
              <Checkbox key={key} name="columns" value={key} label={name} defaultChecked={false} />
            ))}
          </fieldset>
          <Checkbox
            name="signed"
            label="Only my server sends it"
            hint="Requests must be signed with a secret, shown once. The list of sites is ignored."
            defaultChecked={false}
          />
          <DialogActions>
            <SubmitButton>Create form</SubmitButton>
          </DialogActions>
        </ActionForm>
      </Dialog>
      <NewSecret
        secret={secret}
        onStored={() => setSecret(null)}
        use="Your server uses it to sign what it sends to this form."
      />
    </>
  )
}
