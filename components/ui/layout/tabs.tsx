import { clsx } from 'clsx'
import { Link } from '#components/ui/controls/link'

export type Tab = { href: string; label: string; count?: number; current?: boolean }

/** Tabs are links: each has a URL, and the back button works. */
export function Tabs({ label, tabs }: { label: string; tabs: Tab[] }) {
  return (
    <nav aria-label={label} className="-mb-px flex gap-1 overflow-x-auto [scrollbar-width:none]">
      {tabs.map((tab) => (
        <Link
          key={tab.href}
          href={tab.href}
          aria-current={tab.current ? 'page' : undefined}
          className={clsx(
            'flex h-9 items-center gap-1.5 border-b-2 px-2 text-sm whitespace-nowrap transition-colors focus-visible:-outline-offset-2',
            tab.current
              ? 'border-accent-text font-medium text-text [scroll-initial-target:nearest]'
              : 'border-transparent text-muted hover:text-text',
          )}
        >
          {tab.label}
          {tab.count !== undefined && (
            <span className="text-xs text-muted">{tab.count.toLocaleString('en')}</span>
          )}
        </Link>
      ))}
    </nav>
  )
}
