import { clsx } from 'clsx'

/** Separate from the menu because server components use it too. */
export const menuItemClass = (danger?: boolean) =>
  clsx(
    'flex h-8 w-full items-center gap-2 rounded-xs px-2 text-left text-sm hover:bg-hover focus-visible:bg-hover focus-visible:-outline-offset-2 disabled:opacity-50 aria-disabled:opacity-50 [&_svg]:size-4 [&_svg]:text-muted',
    danger && 'text-danger [&_svg]:text-danger',
  )
