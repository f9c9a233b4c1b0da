'use client'

import dynamic from 'next/dynamic'
import Link from 'next/link'
import { type ReactNode, useState } from 'react'
import type { Confirmation } from './confirm-dialog.tsx'
import { menuItemClass } from './menu-item-class.tsx'
import { type Act, useAction } from './use-action.tsx'

const ConfirmDialog = dynamic(() => import('./confirm-dialog.tsx').then((module) => module.ConfirmDialog))

export function MenuLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link href={href} role="menuitem" tabIndex={-1} className={menuItemClass()}>
      {children}
    </Link>
  )
}

type Props = { act: Act; confirm?: Confirmation; danger?: boolean; disabled?: boolean; children: ReactNode }

export function MenuAction({ act, confirm, danger, disabled, children }: Props) {
  const [isAsking, setAsking] = useState(false)
  const { run, isPending } = useAction(act)
  return (
    <>
      <button
        type="button"
        role="menuitem"
        tabIndex={-1}
        disabled={disabled || isPending}
        className={menuItemClass(danger)}
        onClick={(event) => {
          if (confirm) return setAsking(true)
          event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover()
          run()
        }}
      >
        {children}
      </button>
      {isAsking && confirm && (
        <ConfirmDialog confirmation={confirm} onConfirm={run} onClose={() => setAsking(false)} />
      )}
    </>
  )
}
