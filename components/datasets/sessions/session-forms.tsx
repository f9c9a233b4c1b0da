'use client'

import { Sparkles } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useState } from 'react'
import { Button } from '#components/ui/controls/button'
import type { SessionFormProps } from './session-dialog.tsx'

const SessionDialog = dynamic(() => import('./session-dialog.tsx').then((module) => module.SessionDialog), {
  loading: () => null,
})

/** What can be done over all rows of a dataset; each is a session that can be cancelled and undone. */
export function SessionForms({ is_busy, ...props }: SessionFormProps & { is_busy: boolean }) {
  const [open, setOpen] = useState<'enrich' | 'extract' | 'find' | null>(null)
  return (
    <>
      <Button aria-disabled={is_busy} onClick={() => setOpen('enrich')}>
        <Sparkles aria-hidden /> Enrich
      </Button>
      <Button aria-disabled={is_busy} onClick={() => setOpen('extract')}>
        Extract
      </Button>
      <Button aria-disabled={is_busy} onClick={() => setOpen('find')}>
        Find addresses
      </Button>
      {open && <SessionDialog {...props} open={open} onClose={() => setOpen(null)} />}
    </>
  )
}
