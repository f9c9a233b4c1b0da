'use client'

import dynamic from 'next/dynamic'
import { type ComponentProps, useState } from 'react'
import type { Confirmation } from '../overlays/confirm-dialog.tsx'
import { type Act, useAction } from '../use-action.tsx'
import { Button, type ButtonLook } from './button.tsx'
import { LockedButton, useLock } from './lock.tsx'

const ConfirmDialog = dynamic(
  () => import('../overlays/confirm-dialog.tsx').then((module) => module.ConfirmDialog),
  { loading: () => null },
)

type Props = Omit<ComponentProps<'button'>, 'onClick'> & ButtonLook & { act: Act; confirm?: Confirmation }

/** The button may disappear with its action; the focus then moves to the content instead of being lost. */
const leaveFocus = (button: HTMLButtonElement | null) => () => {
  if (button && document.activeElement === button)
    document.getElementById('content')?.focus({ preventScroll: true })
}

/** A button that runs one server action, after a confirmation if needed. */
export function ActionButton({ act, confirm, disabled, ...rest }: Props) {
  const [isAsking, setAsking] = useState(false)
  const { run, isPending } = useAction(act)
  if (useLock()) return <LockedButton {...rest} />
  return (
    <>
      <Button
        ref={leaveFocus}
        disabled={disabled}
        aria-busy={isPending}
        onClick={() => (confirm ? setAsking(true) : run())}
        {...rest}
      />
      {isAsking && confirm && (
        <ConfirmDialog confirmation={confirm} onConfirm={run} onClose={() => setAsking(false)} />
      )}
    </>
  )
}
