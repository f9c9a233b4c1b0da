import type { ReactNode } from 'react'
import { menuItemClass } from './menu-item-class.tsx'

type Props = { onChoose: () => void; danger?: boolean; disabled?: boolean; children: ReactNode }

/** A menu item that acts on the page itself: the menu closes first. */
export const MenuChoice = ({ onChoose, danger, disabled, children }: Props) => (
  <button
    type="button"
    role="menuitem"
    tabIndex={-1}
    disabled={disabled}
    className={menuItemClass(danger)}
    onClick={(event) => {
      event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover()
      onChoose()
    }}
  >
    {children}
  </button>
)
