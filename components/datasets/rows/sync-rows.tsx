'use client'

import { RefreshCw } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useState } from 'react'
import { Button } from '#components/ui/controls/button'
import { LockedButton, useLock } from '#components/ui/controls/lock'
import type { KnownSheets, SyncActs } from './sync-answers.tsx'

const SyncRowsDialog = dynamic(
  () => import('./sync-rows-dialog.tsx').then((module) => module.SyncRowsDialog),
  { loading: () => null },
)

type Props = {
  acts: SyncActs
  sheets: KnownSheets
  /** The user returns from signing in at the sheet vendor, so the dialog reopens. */
  isBack: boolean
}

/** Removes the marker from the URL, so that a reload does not reopen the dialog. */
function forgetReturn() {
  const { pathname, search } = window.location
  const query = new URLSearchParams(search)
  if (!query.has('sheets')) return
  query.delete('sheets')
  window.history.replaceState(null, '', query.size > 0 ? `${pathname}?${query}` : pathname)
}

/** Syncs the dataset with its source table, after showing the changes. */
export function SyncRows({ acts, sheets, isBack }: Props) {
  const [isOpen, setOpen] = useState(isBack)
  function close() {
    setOpen(false)
    forgetReturn()
  }
  const label = (
    <>
      <RefreshCw aria-hidden /> Sync
    </>
  )
  if (useLock()) return <LockedButton>{label}</LockedButton>
  return (
    <>
      <Button onClick={() => setOpen(true)}>{label}</Button>
      {isOpen && <SyncRowsDialog acts={acts} sheets={sheets} onClose={close} />}
    </>
  )
}
