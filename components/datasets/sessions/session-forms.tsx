'use client'

import { Sparkles } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useState } from 'react'
import { ActingButton } from '#components/ui/controls/lock'
import type { SessionFormProps } from './session-dialog.tsx'

const SessionDialog = dynamic(() => import('./session-dialog.tsx').then((module) => module.SessionDialog), {
  loading: () => null,
})

/** What can be done over all rows of a dataset; each is a session that can be cancelled and undone. */
export function SessionForms({ is_busy, ...props }: SessionFormProps & { is_busy: boolean }) {
  const [open, setOpen] = useState<'enrich' | 'extract' | 'find' | null>(null)
  return (
    <>
      <ActingButton aria-disabled={is_busy} onClick={() => setOpen('enrich')}>
        <Sparkles aria-hidden /> Enrich
      </ActingButton>
      <ActingButton aria-disabled={is_busy} onClick={() => setOpen('extract')}>
        Extract
      </ActingButton>
      <ActingButton aria-disabled={is_busy} onClick={() => setOpen('find')}>
        Find addresses
      </ActingButton>
      {open && <SessionDialog {...props} open={open} onClose={() => setOpen(null)} />}
    </>
  )
}
