'use client'

import { LogOut } from 'lucide-react'
import { dropDrafts } from '#components/drafts/store'
import { menuItemClass } from '#components/ui/overlays/menu-item-class'

/** Signing out also deletes unsaved drafts in this browser. */
export function SignOut({ signOut }: { signOut: () => Promise<void> }) {
  return (
    <form action={signOut} onSubmit={dropDrafts} className="pt-1">
      <button type="submit" role="menuitem" className={menuItemClass()}>
        <LogOut aria-hidden />
        Sign out
      </button>
    </form>
  )
}
