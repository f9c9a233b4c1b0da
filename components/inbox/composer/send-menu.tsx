'use client'

import { ChevronDown } from 'lucide-react'
import { useRef } from 'react'
import { useFormPending } from '#components/ui/controls/action-form'
import { buttonClass } from '#components/ui/controls/button'
import { useLock } from '#components/ui/controls/lock'
import { type TimeChoice, TimeMenu } from '#components/ui/overlays/time-menu'

/** Schedules the reply of the surrounding form. */
export function SendMenu({ times, zone }: { times: TimeChoice[]; zone: string }) {
  const field = useRef<HTMLInputElement>(null)
  const isPending = useFormPending()
  if (useLock()) return null
  function schedule(at: string) {
    const control = field.current
    if (!control) return
    control.value = at
    control.form?.requestSubmit()
    // The submitted value has been read; the next reply chooses its own time.
    control.value = ''
  }
  return (
    <>
      <input ref={field} type="hidden" name="send_at" defaultValue="" data-unkept />
      <TimeMenu
        label="Send later"
        triggerClass={buttonClass({ className: isPending ? 'pointer-events-none opacity-50' : '' })}
        trigger={
          <>
            Later <ChevronDown aria-hidden />
          </>
        }
        choices={times}
        title="Send later"
        verb="Schedule"
        zone={zone}
        onChoose={schedule}
      />
    </>
  )
}
