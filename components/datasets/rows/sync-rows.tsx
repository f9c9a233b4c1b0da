'use client'

import { RefreshCw } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useState } from 'react'
import { Button } from '#components/ui/controls/button'
import { LockedButton, useLock } from '#components/ui/controls/lock'
import type { KnownSheets, SyncActs } from './sync-answers.tsx'

const SyncRowsDialog = dynamic(() => import('./sync-rows-dialog.tsx').then((module) => module.SyncRowsDialog))

/** With the table that the rows come from: what would change is shown first. */
export function SyncRows({ acts, sheets }: { acts: SyncActs; sheets: KnownSheets }) {
  const [isOpen, setOpen] = useState(false)
  const label = (
    <>
      <RefreshCw aria-hidden /> Sync
    </>
  )
  if (useLock()) return <LockedButton>{label}</LockedButton>
  return (
    <>
      <Button onClick={() => setOpen(true)}>{label}</Button>
      {isOpen && <SyncRowsDialog acts={acts} sheets={sheets} onClose={() => setOpen(false)} />}
    </>
  )
}
