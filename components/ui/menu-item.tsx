'use client'

import dynamic from 'next/dynamic'
import Link from 'next/link'
import { type ReactNode, useEffect, useRef, useState } from 'react'
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

const closeMenuOf = (item: HTMLElement | null) => item?.closest<HTMLElement>('[popover]')?.hidePopover()

type Props = { act: Act; confirm?: Confirmation; danger?: boolean; disabled?: boolean; children: ReactNode }

export function MenuAction({ act, confirm, danger, disabled, children }: Props) {
  const [isAsking, setAsking] = useState(false)
  const { run, isPending } = useAction(act)
  const button = useRef<HTMLButtonElement>(null)
  const hasAsked = useRef(false)
  // The question lies inside the menu, which stays open until it is answered. It goes once the question has given
  // the focus back to its item, so that the button of the menu gets it in turn.
  useEffect(() => {
    if (hasAsked.current && !isAsking) closeMenuOf(button.current)
    hasAsked.current = isAsking
  }, [isAsking])
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
          closeMenuOf(button.current)
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
