'use client'

import { ChevronDown } from 'lucide-react'
import { useRef, useState } from 'react'
import { useFormPending } from '#components/ui/controls/action-form'
import { Button, buttonClass } from '#components/ui/controls/button'
import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'
import { useLock } from '#components/ui/controls/lock'
import { Dialog } from '#components/ui/overlays/dialog'
import { DialogActions } from '#components/ui/overlays/dialog-actions'
import { Menu } from '#components/ui/overlays/menu'
import { MenuChoice } from '#components/ui/overlays/menu-choice'
import { loadZone, toInstant } from '#lib/domain/calendar/zoned-time'

export type SendTime = { label: string; until: string; at: string }

/** When the answer in the form around is sent, other than now. */
export function SendMenu({ times, zone }: { times: SendTime[]; zone: string }) {
  const field = useRef<HTMLInputElement>(null)
  const [isAsking, setAsking] = useState(false)
  const isPending = useFormPending()
  if (useLock()) return null
  function schedule(at: string) {
    const control = field.current
    if (!control) return
    control.value = at
    control.form?.requestSubmit()
    // What was sent is read by now; the next answer has a time of its own.
    control.value = ''
  }
  return (
    <>
      <input ref={field} type="hidden" name="send_at" defaultValue="" data-unkept />
      <Menu
        label="Send later"
        triggerClass={buttonClass({ className: isPending ? 'pointer-events-none opacity-50' : '' })}
        trigger={
          <>
            Later <ChevronDown aria-hidden />
          </>
        }
      >
        {times.map(({ label, until, at }) => (
          <MenuChoice key={label} onChoose={() => schedule(until)}>
            <span className="flex-1">{label}</span>
            <span className="pl-4 text-xs text-muted">{at}</span>
          </MenuChoice>
        ))}
        <MenuChoice onChoose={() => setAsking(true)}>Pick a time…</MenuChoice>
      </Menu>
      {isAsking && <TimeDialog zone={zone} onChoose={schedule} onClose={() => setAsking(false)} />}
    </>
  )
}

type DialogProps = { zone: string; onChoose: (at: string) => void; onClose: () => void }

function TimeDialog({ zone, onChoose, onClose }: DialogProps) {
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
    <Dialog isOpen onClose={onClose} title="Send later">
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
          Schedule
        </Button>
      </DialogActions>
    </Dialog>
  )
}
