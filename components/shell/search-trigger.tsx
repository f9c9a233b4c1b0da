'use client'

import { Search } from 'lucide-react'
import { Kbd } from '#components/ui/kbd'

/** Opens the command menu for users who do not know its shortcut. */
export function SearchTrigger({ short }: { short?: boolean }) {
  const open = () => document.dispatchEvent(new Event('opener:command-menu'))
  return (
    <button
      type="button"
      onClick={open}
      aria-label={short ? 'Search' : undefined}
      aria-keyshortcuts="Control+K Meta+K"
      className={
        short
          ? 'grid size-9 place-items-center rounded-sm text-muted hover:bg-hover'
          : 'flex h-8 w-full items-center gap-2 rounded-sm border border-border bg-surface px-2 text-sm text-muted shadow-control hover:bg-hover max-lg:justify-center max-lg:px-0'
      }
    >
      <Search aria-hidden className="size-4" />
      {!short && (
        <>
          <span className="flex-1 text-left max-lg:sr-only">Search</span>
          <span aria-hidden className="flex gap-0.5 max-lg:hidden">
            <Kbd>Ctrl</Kbd>
            <Kbd>K</Kbd>
          </span>
        </>
      )}
    </button>
  )
}
