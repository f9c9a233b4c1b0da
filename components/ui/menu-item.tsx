'use client'

import dynamic from 'next/dynamic'
import Link from 'next/link'
import { type ReactNode, useRef, useState } from 'react'
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
  const button = useRef<HTMLButtonElement>(null)
  const closeMenu = () => button.current?.closest<HTMLElement>('[popover]')?.hidePopover()
  return (
    <>
      <button
        ref={button}
        type="button"
        role="menuitem"
        tabIndex={-1}
        disabled={disabled || isPending}
        className={menuItemClass(danger)}
        onClick={() => {
          if (confirm) return setAsking(true)
          closeMenu()
          run()
        }}
      >
        {children}
      </button>
      {isAsking && confirm && (
        <ConfirmDialog
          confirmation={confirm}
          onConfirm={run}
          onClose={() => {
            setAsking(false)
            // The question lies inside the menu, which therefore stays open until it is answered.
            closeMenu()
          }}
        />
      )}
    </>
  )
}
