'use client'

import type { ComponentProps } from 'react'
import { useFormStatus } from 'react-dom'
import { Spinner } from '../feedback/spinner.tsx'
import { useFormActs, useFormPending } from './action-form.tsx'
import { Button, type ButtonLook } from './button.tsx'
import { LockedButton, useLock } from './lock.tsx'

/** Detects when its form is being submitted, and keeps its width meanwhile. */
export function SubmitButton({
  children,
  disabled,
  variant = 'primary',
  ...rest
}: ComponentProps<'button'> & ButtonLook) {
  const isNativePending = useFormStatus().pending
  const isPending = useFormPending() || isNativePending
  const isLocked = useLock() !== null
  if (useFormActs() && isLocked) return <LockedButton {...rest}>{children}</LockedButton>
  return (
    <Button type="submit" variant={variant} disabled={disabled} aria-busy={isPending} {...rest}>
      <span className="grid place-items-center">
        <span
          className={`col-start-1 row-start-1 inline-flex items-center gap-1.5 ${isPending ? 'invisible' : ''}`}
        >
          {children}
        </span>
        {isPending && (
          <span className="col-start-1 row-start-1">
            <Spinner />
          </span>
        )}
      </span>
    </Button>
  )
}
