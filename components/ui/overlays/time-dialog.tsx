'use client'

import { useState } from 'react'
import { Button } from '#components/ui/controls/button'
import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'
import { loadZone, toInstant } from '#lib/domain/calendar/zoned-time'
import { Dialog } from './dialog.tsx'
import { DialogActions } from './dialog-actions.tsx'

type Props = {
  title: string
  /** The button's label: "Schedule". */
  label: string
  zone: string
  /** An instant in ISO 8601. */
  onChoose: (at: string) => void
  onClose: () => void
}

/** Asks for a time in the workspace's zone. */
export function TimeDialog({ title, label, zone, onChoose, onClose }: Props) {
  const [wall, setWall] = useState('')
  const [error, setError] = useState<string>()
  function choose() {
    const local = Date.parse(`${wall}Z`)
    if (Number.isNaN(local)) return setError('Choose a day and a time.')
    const at = new Date(toInstant(loadZone(zone), local, 'first'))
    if (at <= new Date()) return setError('Choose a time in the future.')
    onClose()
    onChoose(at.toISOString())
  }
  return (
    <Dialog isOpen onClose={onClose} title={title}>
      <Field label={`Time (${zone})`} {...(error && { error })} className="mb-4">
        <Input
          type="datetime-local"
          value={wall}
          onChange={(event) => setWall(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            choose()
          }}
        />
      </Field>
      <DialogActions>
        <Button variant="primary" onClick={choose}>
          {label}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
