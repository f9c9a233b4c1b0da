'use client'

import { Plus } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useState } from 'react'
import { Button } from '#components/ui/controls/button'
import { LockedButton, useLock } from '#components/ui/controls/lock'
import { type AddRowsAct, NO_ROWS, type RowNoun } from './added-rows.tsx'

const AddRowsDialog = dynamic(() => import('./add-rows-dialog.tsx').then((module) => module.AddRowsDialog), {
  loading: () => null,
})

type Props = {
  noun: RowNoun
  columns: { name: string; key: string }[]
  add: AddRowsAct
  /** What happens to the rows, in the user's words. */
  description: string
}

/** Adds rows by hand or pasted from a table. */
export function AddRows({ noun, ...rest }: Props) {
  const [isOpen, setOpen] = useState(false)
  // Survives closing the dialog with Esc or a click outside.
  const [draft, setDraft] = useState(NO_ROWS)
  const label = (
    <>
      <Plus aria-hidden /> Add {noun}
    </>
  )
  if (useLock()) return <LockedButton>{label}</LockedButton>
  return (
    <>
      <Button onClick={() => setOpen(true)}>{label}</Button>
      {isOpen && <AddRowsDialog {...{ noun, draft, setDraft }} onClose={() => setOpen(false)} {...rest} />}
    </>
  )
}
