'use client'

import { useRef, useState } from 'react'
import { KeptFields } from '#components/drafts/kept-fields'
import { CodeBlock } from '#components/ui/code-block'
import { ActionForm, type FormResult } from '#components/ui/controls/action-form'
import { Button } from '#components/ui/controls/button'
import { Checkbox } from '#components/ui/controls/checkbox'
import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'
import { type Option, Select } from '#components/ui/controls/select'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { Dialog } from '#components/ui/overlays/dialog'
import { DialogActions } from '#components/ui/overlays/dialog-actions'
import type { Scope } from '#lib/contracts/contract'
import type { Role } from '#lib/domain/workspaces/roles'
import { type Access, KeyAccess, readAccess, UNRESTRICTED } from './key-access.tsx'

export type NewKeyAnswer = { ok: true; key: string } | { ok: false; message: string }

export type NewKey = Access & { name: string; scopes: Scope[]; expires: string }

type Props = {
  create: (fields: NewKey) => Promise<NewKeyAnswer>
  isFull: boolean
  own: Role
}

const SCOPES: { scope: Scope; hint: string }[] = [
  { scope: 'read', hint: 'Read everything in this workspace' },
  { scope: 'write', hint: 'Create, change and delete' },
  { scope: 'send', hint: 'Launch and resume campaigns' },
  { scope: 'admin', hint: 'Manage the account' },
]

const LIFETIMES: Option[] = [
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
  { value: 'date', label: 'On a custom date' },
  { value: 'never', label: 'Never' },
]

/** The secret is shown only once, and the dialog closes only by confirming that it is stored. */
export function CreateKey({ create, isFull, own }: Props) {
  const [isOpen, setOpen] = useState(false)
  const [key, setKey] = useState<string | null>(null)
  const [lifetime, setLifetime] = useState('90')
  const made = useRef<string | null>(null)

  async function submit(_: FormResult | null, data: FormData): Promise<FormResult> {
    const scopes = SCOPES.map(({ scope }) => scope).filter((scope) => data.get(scope) === 'on')
    if (scopes.length === 0) return { ok: false, message: 'Choose at least one permission.' }
    const expires = lifetime === 'date' ? String(data.get('last_day')) : lifetime
    const answer = await create({ ...readAccess(data), name: String(data.get('name')), scopes, expires })
    if (answer.ok) made.current = answer.key
    return answer.ok ? { ok: true } : answer
  }
  function close() {
    setOpen(false)
    setKey(null)
  }

  return (
    <>
      <Button variant="primary" disabled={isFull} onClick={() => setOpen(true)}>
        New API key
      </Button>
      <Dialog
        wide={!key}
        onlyByButton={key !== null}
        isOpen={isOpen}
        onClose={close}
        title={key ? 'Copy your new key now' : 'New API key'}
        description={key ? 'For your security, it cannot be shown again.' : undefined}
        footer={key && <Button onClick={close}>I saved it</Button>}
      >
        {key ? (
          <CodeBlock label="API key" code={key} />
        ) : (
          // Runs after the form has cleared its draft.
          <ActionForm action={submit} onDone={() => setKey(made.current)} className="grid gap-4">
            <KeptFields name="api-key:new" what="The key" />
            <KeyFields own={own} lifetime={lifetime} onLifetime={setLifetime} />
            <DialogActions>
              <SubmitButton>Create key</SubmitButton>
            </DialogActions>
          </ActionForm>
        )}
      </Dialog>
    </>
  )
}

type FieldsProps = { own: Role; lifetime: string; onLifetime: (value: string) => void }

function KeyFields({ own, lifetime, onLifetime }: FieldsProps) {
  return (
    <>
      <Field
        label="Name"
        name="name"
        required
        hint="Where it is used, so you know what breaks when you revoke it."
      >
        <Input maxLength={100} />
      </Field>
      <fieldset className="grid gap-1">
        <legend className="mb-1 text-sm font-medium">The key may</legend>
        {SCOPES.map(({ scope, hint }) => (
          <Checkbox key={scope} name={scope} label={scope} hint={hint} defaultChecked={scope !== 'admin'} />
        ))}
      </fieldset>
      <KeyAccess own={own} given={UNRESTRICTED} />
      <Field label="Expires" name="expires">
        <Select
          options={LIFETIMES}
          value={lifetime}
          onChange={(event) => onLifetime(event.currentTarget.value)}
        />
      </Field>
      {lifetime === 'date' && (
        <Field
          label="Last day"
          name="last_day"
          required
          hint="The key works until the end of that day, in your time zone."
        >
          <Input type="date" />
        </Field>
      )}
    </>
  )
}
