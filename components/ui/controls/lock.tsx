'use client'

import { Lock as LockIcon } from 'lucide-react'
import dynamic from 'next/dynamic'
import { type ComponentProps, createContext, type ReactNode, useContext, useMemo, useState } from 'react'
import { Button, type ButtonLook } from './button.tsx'

const AskAdmin = dynamic(() => import('./ask-admin.tsx').then((module) => module.AskAdmin), {
  loading: () => null,
})

/** Why whoever looks at a page may not change what is on it, and who could. */
export type Lock = {
  reason: string
  people: { name: string; email: string }[]
  /** Only since somebody else made it: what everybody may do with it is open, see SharedWork. */
  isOthersWork?: boolean
}

const LockContext = createContext<{ ask: () => void; isOthersWork: boolean } | null>(null)

/** Null where one may act; else how to say whom to ask. Every control that acts looks here, so that none ends in a refusal. */
export const useLock = () => useContext(LockContext)

/** Around what somebody may only look at. Without a lock everything acts, also within another that is locked. */
export function LockProvider({ lock, children }: { lock: Lock | null; children: ReactNode }) {
  const [isAsking, setAsking] = useState(false)
  const held = useMemo(
    () => (lock ? { ask: () => setAsking(true), isOthersWork: lock.isOthersWork === true } : null),
    [lock],
  )
  return (
    <LockContext value={held}>
      {children}
      {lock && isAsking && <AskAdmin {...lock} onClose={() => setAsking(false)} />}
    </LockContext>
  )
}

/** Around what one may do with another's work too, such as to copy it. */
export function SharedWork({ children }: { children: ReactNode }) {
  const lock = useLock()
  return <LockContext value={lock?.isOthersWork ? null : lock}>{children}</LockContext>
}

type LockedProps = {
  children?: ReactNode
  size?: ButtonLook['size'] | undefined
  className?: string | undefined
  'aria-label'?: string | undefined
}

/** In place of a button that would be refused: quiet, and it says whom to ask. */
export function LockedButton({ children, size, className = '', 'aria-label': label }: LockedProps) {
  const isIcon = size === 'icon' || size === 'icon-sm'
  return (
    <Button
      size={size}
      className={`[&>svg~svg]:hidden ${className}`}
      aria-haspopup="dialog"
      aria-label={label}
      data-locked
      onClick={useLock()?.ask}
    >
      {!isIcon && <LockIcon aria-hidden />}
      {children}
    </Button>
  )
}

/** A button whose own code calls the server. */
export function ActingButton(props: ComponentProps<typeof Button>) {
  const { children, size, className, 'aria-label': label } = props
  if (!useLock()) return <Button {...props} />
  return (
    <LockedButton size={size} className={className} aria-label={label}>
      {children}
    </LockedButton>
  )
}
