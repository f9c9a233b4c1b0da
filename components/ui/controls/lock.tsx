'use client'

import { Lock as LockIcon } from 'lucide-react'
import dynamic from 'next/dynamic'
import { type ComponentProps, createContext, type ReactNode, useContext, useMemo, useState } from 'react'
import { Button, type ButtonLook } from './button.tsx'

const AskAdmin = dynamic(() => import('./ask-admin.tsx').then((module) => module.AskAdmin), {
  loading: () => null,
})

/** Why the user may not change things on this page, and who can. */
export type Lock = {
  reason: string
  people: { name: string; email: string }[]
  /** Locked only because somebody else made it; actions open to everybody are in SharedWork. */
  isOthersWork?: boolean
}

const LockContext = createContext<{ ask: () => void; isOthersWork: boolean } | null>(null)

/**
 * Null if the user may act; otherwise the reason. Every control that acts checks this, so that none ends in a
 * refusal.
 */
export const useLock = () => useContext(LockContext)

/**
 * Wraps content the user may only view. Without a lock everything inside works, even within a locked
 * provider.
 */
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

/** Wraps actions allowed on other users' work, such as copying it. */
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

/** Shown instead of a button that would be refused; says whom to ask. */
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
