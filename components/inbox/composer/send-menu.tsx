'use client'

import { ChevronDown } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useRef, useState } from 'react'
import { useFormPending } from '#components/ui/controls/action-form'
import { buttonClass } from '#components/ui/controls/button'
import { useLock } from '#components/ui/controls/lock'
import { Menu } from '#components/ui/overlays/menu'
import { MenuChoice } from '#components/ui/overlays/menu-choice'

// Time zones are a sixth of the page's script, and wanted by who picks a time of their own.
const TimeDialog = dynamic(
  () => import('#components/ui/overlays/time-dialog').then((module) => module.TimeDialog),
  { loading: () => null },
)

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
      {isAsking && (
        <TimeDialog
          title="Send later"
          label="Schedule"
          zone={zone}
          onChoose={schedule}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}
