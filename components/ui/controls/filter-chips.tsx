import { clsx } from 'clsx'
import { Link } from './link.tsx'

export type Chip = { href: string; label: string; count?: number; current?: boolean }

/** Filters are links, so that a filtered list can be shared. */
export function FilterChips({ label, chips }: { label: string; chips: Chip[] }) {
  return (
    <nav aria-label={label} className="flex gap-1 overflow-x-auto p-0.5 [scrollbar-width:none]">
      {chips.map((chip) => (
        <Link
          key={chip.href}
          href={chip.href}
          scroll={false}
          aria-current={chip.current ? 'true' : undefined}
          className={clsx(
            'inline-flex h-7 items-center gap-1.5 rounded-full border px-2.5 text-sm whitespace-nowrap transition-colors',
            chip.current
              ? 'border-accent-border bg-accent-subtle font-medium text-accent-text [scroll-initial-target:nearest]'
              : 'border-border bg-surface text-muted hover:bg-hover hover:text-text',
          )}
        >
          {chip.label}
          {chip.count !== undefined && <span className="text-xs">{chip.count.toLocaleString('en')}</span>}
        </Link>
      ))}
    </nav>
  )
}
