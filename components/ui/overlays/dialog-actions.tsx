'use client'

import type { ReactNode } from 'react'
import { useFormPending } from '../controls/action-form.tsx'
import { Button } from '../controls/button.tsx'

/** The submit and cancel buttons of a form in a dialog. They stay visible however long the form is. */
export function DialogActions({ children }: { children: ReactNode }) {
  const isPending = useFormPending()
  return (
    <div className="sticky -bottom-4 -mx-5 -mb-4 flex justify-end gap-2 border-t border-border bg-raised px-5 py-3">
      <Button aria-disabled={isPending} onClick={(event) => event.currentTarget.closest('dialog')?.close()}>
        Cancel
      </Button>
      {children}
    </div>
  )
}
