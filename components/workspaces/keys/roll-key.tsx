'use client'

import { useState } from 'react'
import { CodeBlock } from '#components/ui/code-block'
import { ActionForm, type FormResult } from '#components/ui/controls/action-form'
import { Button } from '#components/ui/controls/button'
import { Field } from '#components/ui/controls/field'
import { type Option, Select } from '#components/ui/controls/select'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { Dialog } from '#components/ui/overlays/dialog'
import { DialogActions } from '#components/ui/overlays/dialog-actions'
import type { NewKeyAnswer } from './create-key.tsx'

const OVERLAPS: Option[] = [
  { value: '0', label: 'Immediately' },
  { value: '1', label: 'In an hour' },
  { value: '24', label: 'In a day' },
  { value: '72', label: 'In three days' },
  { value: '168', label: 'In a week' },
]

export type Roll = (id: string, overlapHours: number) => Promise<NewKeyAnswer>

type Props = { id: string; name: string; isRolled: boolean; roll: Roll }

/** Stays visible after rolling a key, since it shows the new one. */
export function RollKey({ id, name, isRolled, roll }: Props) {
  const [isOpen, setOpen] = useState(false)
  const [key, setKey] = useState<string | null>(null)
  async function submit(_: FormResult | null, data: FormData): Promise<FormResult> {
    const answer = await roll(id, Number(data.get('overlap')))
    if (!answer.ok) return answer
    setKey(answer.key)
    return { ok: true }
  }
  function close() {
    setOpen(false)
    setKey(null)
  }
  return (
    <>
      {!isRolled && (
        <Button size="sm" variant="ghost" aria-label={`Roll ${name}`} onClick={() => setOpen(true)}>
          Roll
        </Button>
      )}
      <Dialog
        onlyByButton={key !== null}
        isOpen={isOpen}
        onClose={close}
        title={key ? 'Copy your new key now' : `Roll key “${name}”`}
        description={
          key
            ? 'For your security, it cannot be shown again.'
            : 'Creates a new key with the same rights. The old one keeps working until then.'
        }
        footer={key && <Button onClick={close}>I saved it</Button>}
      >
        {key ? (
          <CodeBlock label="API key" code={key} />
        ) : (
          <ActionForm action={submit} className="grid gap-4">
            <Field label="Old key expires" name="overlap">
              <Select options={OVERLAPS} defaultValue="24" />
            </Field>
            <DialogActions>
              <SubmitButton>Roll key</SubmitButton>
            </DialogActions>
          </ActionForm>
        )}
      </Dialog>
    </>
  )
}
