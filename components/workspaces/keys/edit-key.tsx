'use client'

import { useState } from 'react'
import { KeptFields } from '#components/drafts/kept-fields'
import { ActionForm, type FormResult } from '#components/ui/controls/action-form'
import { Button } from '#components/ui/controls/button'
import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { Dialog } from '#components/ui/overlays/dialog'
import { DialogActions } from '#components/ui/overlays/dialog-actions'
import type { ApiKey } from '#lib/contracts/workspaces/api-keys'
import type { Role } from '#lib/domain/workspaces/roles'
import { type Access, accessValues, KeyAccess, readAccess } from './key-access.tsx'

export type SaveKey = (id: string, fields: Access & { name: string; version: number }) => Promise<FormResult>

type Props = { apiKey: ApiKey; own: Role; save: SaveKey }

export function EditKey({ apiKey, own, save }: Props) {
  const [isOpen, setOpen] = useState(false)
  const { id, name, version } = apiKey
  const submit = (_: FormResult | null, data: FormData) =>
    save(id, {
      ...readAccess(data),
      name: String(data.get('name')),
      version: Number(data.get('version') ?? version),
    })
  return (
    <>
      <Button size="sm" variant="ghost" aria-label={`Edit ${name}`} onClick={() => setOpen(true)}>
        Edit
      </Button>
      <Dialog
        wide
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={`Edit key “${name}”`}
        description="Takes effect with the key’s next request."
      >
        <ActionForm action={submit} onDone={() => setOpen(false)} className="grid gap-4">
          <KeptFields
            name={`api-key:${id}`}
            what="The key"
            version={version}
            values={{ name, ...accessValues(apiKey) }}
          />
          <Field label="Name" name="name" required>
            <Input maxLength={100} defaultValue={name} />
          </Field>
          <KeyAccess own={own} given={apiKey} />
          <DialogActions>
            <SubmitButton>Save</SubmitButton>
          </DialogActions>
        </ActionForm>
      </Dialog>
    </>
  )
}
