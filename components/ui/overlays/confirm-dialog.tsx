'use client'

import { useState } from 'react'
import { Button } from '../controls/button.tsx'
import { Field } from '../controls/field.tsx'
import { Input } from '../controls/input.tsx'
import { Dialog } from './dialog.tsx'

export type Confirmation = {
  /** Names the action, the object and the count: "Delete dataset prospects.xlsx and its 1,240 leads?" */
  title: string
  description?: string
  /** The verb on the button; never "OK". */
  label: string
  danger?: boolean
  /** For large actions that cannot be undone: this text must be typed first. */
  type_to_confirm?: string
}

type Props = { confirmation: Confirmation | null; onConfirm: () => void; onClose: () => void }

export function ConfirmDialog({ confirmation, onConfirm, onClose }: Props) {
  const [typed, setTyped] = useState('')
  const isBlocked = Boolean(confirmation?.type_to_confirm && typed.trim() !== confirmation.type_to_confirm)
  return (
    <Dialog
      isOpen={confirmation !== null}
      onClose={onClose}
      title={confirmation?.title}
      description={confirmation?.description}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant={confirmation?.danger ? 'danger' : 'primary'}
            disabled={isBlocked}
            onClick={() => {
              onConfirm()
              onClose()
            }}
          >
            {confirmation?.label}
          </Button>
        </>
      }
    >
      {confirmation?.type_to_confirm && (
        <Field label={`Type ${confirmation.type_to_confirm} to confirm`}>
          <Input autoComplete="off" value={typed} onChange={(event) => setTyped(event.target.value)} />
        </Field>
      )}
    </Dialog>
  )
}
