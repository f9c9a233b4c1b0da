'use client'

import { Lock } from 'lucide-react'
import dynamic from 'next/dynamic'
import { type ReactNode, useState } from 'react'
import { createPortal } from 'react-dom'
import { Link } from '#components/ui/controls/link'
import { keepingFocus } from '../controls/keeping-focus.tsx'
import { useLock } from '../controls/lock.tsx'
import { type Act, useAction } from '../use-action.tsx'
import type { Confirmation } from './confirm-dialog.tsx'
import { menuItemClass } from './menu-item-class.tsx'

const ConfirmDialog = dynamic(() => import('./confirm-dialog.tsx').then((module) => module.ConfirmDialog), {
  loading: () => null,
})

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
  const lock = useLock()
  return (
    <>
      <button
        type="button"
        role="menuitem"
        tabIndex={-1}
        className={menuItemClass(danger)}
        {...keepingFocus({
          disabled,
          'aria-busy': isPending,
          onClick: (event) => {
            // Moves the focus to the menu's button, to which a confirmation dialog then returns it.
            event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover()
            if (lock) lock.ask()
            else if (confirm) setAsking(true)
            else run()
          },
        })}
      >
        {children}
        {lock && <Lock aria-hidden className="ml-auto text-muted" />}
      </button>
      {isAsking &&
        confirm &&
        // Rendered outside the menu, which is closed by now and hides its content.
        createPortal(
          <ConfirmDialog confirmation={confirm} onConfirm={run} onClose={() => setAsking(false)} />,
          document.body,
        )}
    </>
  )
}
