'use client'

import { type ComponentProps, useTransition } from 'react'
import { failedResult } from '../failed-result.tsx'
import { toast } from '../overlays/toast.tsx'
import { Button, type ButtonLook } from './button.tsx'
import { LockedButton, useLock } from './lock.tsx'

/** The URL to go to, or the reason why not. */
export type Leave = () => Promise<{ ok: true; url: string } | { ok: false; message: string }>

const LOST = 'The server could not be reached. Try again.'

type Props = Omit<ComponentProps<'button'>, 'onClick'> & ButtonLook & { leave: Leave }

/**
 * Leaves for an external page. The browser navigates directly and only once, because a single-use URL must
 * not be prefetched.
 */
export function LeaveButton({ leave, disabled, ...rest }: Props) {
  const [isLeaving, startLeaving] = useTransition()
  if (useLock()) return <LockedButton {...rest} />
  const go = () =>
    startLeaving(async () => {
      const answer = await leave().catch((error: unknown) => failedResult(error, LOST))
      if (answer.ok) window.location.assign(answer.url)
      else toast.error(answer.message)
    })
  return <Button disabled={disabled} aria-busy={isLeaving} onClick={go} {...rest} />
}
