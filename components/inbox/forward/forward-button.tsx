'use client'

import { Forward } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useState } from 'react'
import { IconButton } from '#components/ui/controls/icon-button'
import { useLock } from '#components/ui/controls/lock'
import type { Forwarded } from './forwarded.tsx'

const ForwardDialog = dynamic(() => import('./forward-dialog.tsx').then((module) => module.ForwardDialog), {
  loading: () => null,
})

/** Opens the forward form, whose code loads on first click. */
export function ForwardButton(props: Forwarded) {
  const [isOpen, setOpen] = useState(false)
  const lock = useLock()
  return (
    <>
      <IconButton
        small
        label={`Forward the message from ${props.of}`}
        onClick={() => (lock ? lock.ask() : setOpen(true))}
      >
        <Forward />
      </IconButton>
      {isOpen && <ForwardDialog {...props} onClose={() => setOpen(false)} />}
    </>
  )
}
